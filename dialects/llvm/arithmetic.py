"""Arithmetic of the llvm dialect: what xDSL lacks, or has in a form that upstream's generic syntax does not fit."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeAlias

from xdsl.dialects.builtin import (
    I1,
    I32,
    AnyFloatConstr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.llvm import FastMathAttr, LLVMPointerType, OverflowAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, OpTrait, Pure

from hologram.dialects.families import operation_of
from hologram.dialects.llvm.enums import FLOAT_PREDICATES, INTEGER_PREDICATES
from hologram.dialects.shapes import with_element
from hologram.dialects.syntax import parse_several, parse_typed, print_typed
from hologram.errors import VerifyError, did_you_mean, parse_error

NO_FASTMATH = FastMathAttr(None)
NO_OVERFLOW = IntegerAttr(0, i32)
NSW = IntegerAttr(1, i32)
"""The overflow flags: the signed result does not wrap."""
NUW = IntegerAttr(2, i32)
"""The unsigned result does not wrap."""
NSW_NUW = IntegerAttr(3, i32)

IntegerLike = SignlessIntegerConstraint | VectorType.constr(SignlessIntegerConstraint)
FloatLike = AnyFloatConstr | VectorType.constr(AnyFloatConstr)
PointerLike = base(LLVMPointerType) | VectorType.constr(base(LLVMPointerType))

Overflow: TypeAlias = "IntegerAttr[IntegerType] | OverflowAttr"


def element_type(type: Attribute) -> Attribute:
    """The element type of a vector, or the type itself."""
    return type.element_type if isinstance(type, VectorType) else type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def overflow_bits(flags: Attribute | None) -> int:
    """The overflow flags as bits (1 signed, 2 unsigned), from either of the forms upstream reads."""
    if isinstance(flags, OverflowAttr):
        return flags.to_int()
    return flags.value.data if isinstance(flags, IntegerAttr) else 0


def _parse_overflow(parser: Parser) -> IntegerAttr[IntegerType]:
    if not parser.parse_optional_keyword("overflow"):
        return NO_OVERFLOW
    words = parser.parse_comma_separated_list(
        parser.Delimiter.ANGLE, lambda: parser.parse_keyword_in(("none", "nsw", "nuw"))
    )
    bits = (1 if "nsw" in words else 0) | (2 if "nuw" in words else 0)
    return IntegerAttr(bits, i32)


def _print_overflow(printer: Printer, flags: Attribute | None) -> None:
    bits = overflow_bits(flags)
    words = [word for bit, word in ((1, "nsw"), (2, "nuw")) if bits & bit]
    if words:
        printer.print_string(f" overflow<{', '.join(words)}>")


class OverflowBinaryOp(IRDLOperation):
    """An integer operation on two values, with flags that say which wrapping makes the result poison."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    overflowFlags = prop_def(IntegerAttr[I32] | OverflowAttr, default_value=NO_OVERFLOW)

    def __init__(self, lhs: SSAValue, rhs: SSAValue, overflow: Overflow = NO_OVERFLOW):
        Operation.__init__(self, operands=(lhs, rhs), result_types=(lhs.type,), properties={"overflowFlags": overflow})

    @classmethod
    def parse(cls, parser: Parser) -> OverflowBinaryOp:
        names = parse_several(parser, parser.parse_unresolved_operand)
        overflow = _parse_overflow(parser)
        attributes, type = parse_typed(parser)
        lhs, rhs = parser.resolve_operands(names, [type, type], parser.pos)
        op = cls(lhs, rhs, overflow)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        _print_overflow(printer, self.overflowFlags)
        print_typed(printer, self.attributes, self.res.type)


def _overflowing(name: str, meaning: str, *more: OpTrait) -> type[OverflowBinaryOp]:
    return operation_of(OverflowBinaryOp, f"llvm.{name}", meaning, Pure(), *more, module=__name__)


AddOp = _overflowing("add", "The sum, modulo the width.", Commutative())
SubOp = _overflowing("sub", "The difference, modulo the width.")
MulOp = _overflowing("mul", "The product, modulo the width.", Commutative())
ShlOp = _overflowing("shl", "Shifts left; by the width or more gives poison.")


@irdl_op_definition
class TruncOp(IRDLOperation):
    """The low bits of an integer."""

    name = "llvm.trunc"

    arg = operand_def(IntegerLike)
    res = result_def(IntegerLike)
    overflowFlags = prop_def(IntegerAttr[I32] | OverflowAttr, default_value=NO_OVERFLOW)

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, res_type: Attribute, overflow: Overflow = NO_OVERFLOW):
        Operation.__init__(self, operands=(arg,), result_types=(res_type,), properties={"overflowFlags": overflow})

    def verify_(self) -> None:
        source, target = element_type(self.arg.type), element_type(self.res.type)
        if isinstance(source, IntegerType) and isinstance(target, IntegerType) and source.bitwidth <= target.bitwidth:
            raise VerifyError(
                "llvm-trunc-widens", f"llvm.trunc can't go from {source} to {target}, which is not narrower"
            )

    @classmethod
    def parse(cls, parser: Parser) -> TruncOp:
        arg = parser.parse_unresolved_operand()
        overflow = _parse_overflow(parser)
        attributes, source = parse_typed(parser)
        parser.parse_keyword("to")
        op = cls(parser.resolve_operand(arg, source), parser.parse_type(), overflow)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        _print_overflow(printer, self.overflowFlags)
        print_typed(printer, self.attributes, self.arg.type)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)


# Comparisons


class _CompareOp(IRDLOperation):
    """Shared by the two comparisons: the predicate is a number in an i64 attribute, a word in the custom form."""

    PREDICATES: ClassVar[tuple[str, ...]]

    res = result_def(I1 | VectorType[I1])
    predicate = prop_def(IntegerAttr)

    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue, rhs: SSAValue, predicate: str | int | IntegerAttr[IntegerType]):
        """`predicate` is upstream's word or number, such as slt or oeq."""
        if not isinstance(predicate, IntegerAttr):
            predicate = IntegerAttr(self.PREDICATES.index(predicate) if isinstance(predicate, str) else predicate, i64)
        types = (with_element(lhs.type, i1),)
        Operation.__init__(self, operands=(lhs, rhs), result_types=types, properties={"predicate": predicate})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        word = parser.parse_str_literal()
        if word not in cls.PREDICATES:
            hint = did_you_mean(word, cls.PREDICATES)
            parse_error(parser, "llvm-predicate", f"{cls.name} has no predicate '{word}'", hint=hint)
        names = parse_several(parser, parser.parse_unresolved_operand)
        attributes, type = parse_typed(parser)
        lhs, rhs = parser.resolve_operands(names, [type, type], parser.pos)
        op = cls(lhs, rhs, word)
        if "fastmathFlags" in attributes and "fastmathFlags" in op.properties:
            op.properties["fastmathFlags"] = attributes.pop("fastmathFlags")
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f' "{self.PREDICATES[self.predicate.value.data]}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        flags = self.properties.get("fastmathFlags", NO_FASTMATH)
        extra = {} if flags == NO_FASTMATH else {"fastmathFlags": flags}
        print_typed(printer, self.attributes | extra, self.operands[0].type)


@irdl_op_definition
class ICmpOp(_CompareOp):
    """Compares integers or pointers: eq ne slt sle sgt sge ult ule ugt uge."""

    name = "llvm.icmp"

    PREDICATES: ClassVar = INTEGER_PREDICATES
    T: ClassVar = VarConstraint("T", IntegerLike | PointerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)


@irdl_op_definition
class FCmpOp(_CompareOp):
    """Compares floats; `o` predicates are false and `u` predicates true if either is NaN."""

    name = "llvm.fcmp"

    PREDICATES: ClassVar = FLOAT_PREDICATES
    T: ClassVar = VarConstraint("T", FloatLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        predicate: str | int | IntegerAttr[IntegerType],
        fastmath: FastMathAttr = NO_FASTMATH,
    ):
        super().__init__(lhs, rhs, predicate)
        self.properties["fastmathFlags"] = fastmath


# Casts


class CastOp(IRDLOperation):
    """Converts a value, or each element of a vector."""

    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"

    arg = operand_def(AnyAttr())
    res = result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, res_type: Attribute):
        Operation.__init__(self, operands=(arg,), result_types=(res_type,))


def _cast(camel: str, meaning: str, source: Any, target: Any) -> type[CastOp]:
    fields: dict[str, Any] = {
        "__doc__": meaning,
        "__module__": __name__,
        "name": f"llvm.{camel.lower()}",
        "arg": operand_def(source),
        "res": result_def(target),
    }
    return irdl_op_definition(type(f"{camel}Op", (CastOp,), fields))


FPToSIOp = _cast("FPToSI", "Float to signed integer, towards zero; poison out of range.", FloatLike, IntegerLike)
FPToUIOp = _cast("FPToUI", "Float to unsigned integer, towards zero; poison out of range.", FloatLike, IntegerLike)
IntToPtrOp = _cast("IntToPtr", "The pointer with an integer's bits.", IntegerLike, PointerLike)
PtrToIntOp = _cast("PtrToInt", "The bits of a pointer.", PointerLike, IntegerLike)
AddrSpaceCastOp = _cast(
    "AddrSpaceCast", "The same memory through a pointer of another address space.", PointerLike, PointerLike
)


@irdl_op_definition
class UIToFPOp(IRDLOperation):
    """Unsigned integer to float, rounded to nearest even. With `nneg` a set sign bit gives poison."""

    name = "llvm.uitofp"

    arg = operand_def(IntegerLike)
    res = result_def(FloatLike)
    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")

    traits = traits_def(Pure())

    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"

    def __init__(self, arg: SSAValue, res_type: Attribute, non_neg: bool = False):
        properties: dict[str, Attribute] = {"nonNeg": UnitAttr()} if non_neg else {}
        Operation.__init__(self, operands=(arg,), result_types=(res_type,), properties=properties)


# Others


@irdl_op_definition
class SelectOp(IRDLOperation):
    """One of two values; with a vector of conditions, element by element."""

    name = "llvm.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def(I1 | VectorType[I1])
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    traits = traits_def(Pure())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"

    def __init__(self, cond: SSAValue, lhs: SSAValue, rhs: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(
            self, operands=(cond, lhs, rhs), result_types=(lhs.type,), properties={"fastmathFlags": fastmath}
        )


@irdl_op_definition
class FreezeOp(IRDLOperation):
    """The value itself, or some fixed value if it is poison or undefined."""

    name = "llvm.freeze"

    T: ClassVar = VarConstraint("T", AnyAttr())

    val = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$val attr-dict `:` type($val)"

    def __init__(self, val: SSAValue):
        Operation.__init__(self, operands=(val,), result_types=(val.type,))
