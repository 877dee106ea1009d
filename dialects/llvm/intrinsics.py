"""The intrinsics of the llvm dialect, `llvm.intr.*`: a row of a table each where a family shares a shape.

Beside the functions of numbers they copy and set memory, give hints, reduce vectors and access memory by masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    I1,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    SignlessIntegerConstraint,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.dialects.llvm import FastMathAttr, LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure

from hologram.dialects.families import member
from hologram.dialects.llvm.arithmetic import NO_FASTMATH, FloatLike, IntegerLike, element_type
from hologram.dialects.llvm.memory import AliasedOp
from hologram.dialects.llvm.types import LLVMStructType
from hologram.dialects.shapes import with_element
from hologram.dialects.syntax import parse_values, print_typed, print_values

FORMAT = "`(` operands `)` attr-dict `:` functional-type(operands, results)"


def class_of(base: type[Any], name: str, meaning: str, *more: OpTrait, camel: str | None = None) -> type[Any]:
    """One row as a class: `llvm.intr.<name>`."""
    camel = camel or "".join(part.capitalize() for part in name.replace(".", "_").split("_"))
    fields = {"__doc__": meaning, "__module__": base.__module__, "name": f"llvm.intr.{name}"}
    return member(base, f"{camel}Op", fields, [Pure(), *more])


# Floats


_F = VarConstraint("T", FloatLike)
_I = VarConstraint("T", IntegerLike)


class FloatFunctionOp(IRDLOperation):
    """A function of floats, or of the elements of vectors, with flags for the optimiser."""

    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, *operands: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        types = (self.result_type(operands[0].type),)
        Operation.__init__(self, operands=operands, result_types=types, properties={"fastmathFlags": fastmath})

    @staticmethod
    def result_type(operand: Attribute) -> Attribute:
        """The type of the result, from that of the first operand."""
        return operand


class FloatUnaryOp(FloatFunctionOp):
    """A function of one float, or of each element of a vector."""

    arg = operand_def(_F)
    res = result_def(_F)


class FloatBinaryOp(FloatFunctionOp):
    """A function of two floats, or of the elements of two vectors."""

    lhs = operand_def(_F)
    rhs = operand_def(_F)
    res = result_def(_F)


class FloatTernaryOp(FloatFunctionOp):
    """A function of three floats, or of the elements of three vectors."""

    a = operand_def(_F)
    b = operand_def(_F)
    c = operand_def(_F)
    res = result_def(_F)


class FloatPowerOp(FloatFunctionOp):
    """A function of a float and an integer."""

    val = operand_def(_F)
    power = operand_def(SignlessIntegerConstraint)
    res = result_def(_F)


def _unary(name: str, meaning: str, camel: str | None = None) -> type[FloatUnaryOp]:
    return class_of(FloatUnaryOp, name, meaning, camel=camel)


def _binary(name: str, meaning: str, *more: OpTrait) -> type[FloatBinaryOp]:
    return class_of(FloatBinaryOp, name, meaning, *more)


FAbsOp = _unary("fabs", "The value without its sign.", "FAbs")
SqrtOp = _unary("sqrt", "The square root.")
SinOp = _unary("sin", "The sine.")
CosOp = _unary("cos", "The cosine.")
TanOp = _unary("tan", "The tangent.")
AsinOp = _unary("asin", "The arc sine.")
AcosOp = _unary("acos", "The arc cosine.")
AtanOp = _unary("atan", "The arc tangent.")
SinhOp = _unary("sinh", "The hyperbolic sine.")
CoshOp = _unary("cosh", "The hyperbolic cosine.")
TanhOp = _unary("tanh", "The hyperbolic tangent.")
ExpOp = _unary("exp", "e to the power of the value.")
Exp2Op = _unary("exp2", "2 to the power of the value.")
Exp10Op = _unary("exp10", "10 to the power of the value.")
LogOp = _unary("log", "The natural logarithm.")
Log2Op = _unary("log2", "The logarithm to base 2.")
Log10Op = _unary("log10", "The logarithm to base 10.")
FloorOp = _unary("floor", "The greatest integral value not above.")
CeilOp = _unary("ceil", "The least integral value not below.")
FTruncOp = _unary("trunc", "The integral value towards zero.", "FTrunc")
RintOp = _unary("rint", "The nearest integral value, ties to even; may raise inexact.")
NearbyintOp = _unary("nearbyint", "The nearest integral value, ties to even.")
RoundOp = _unary("round", "The nearest integral value, ties away from zero.")
RoundEvenOp = _unary("roundeven", "The nearest integral value, ties to even.", "RoundEven")

CopysignOp = _binary("copysign", "The first value with the sign of the second.")
PowOp = _binary("pow", "The first value to the power of the second.")
Atan2Op = _binary("atan2", "The angle of the point (second, first).")
MaxnumOp = _binary("maxnum", "The greater; the other one if one is a quiet NaN; either zero of two.", Commutative())
MinnumOp = _binary("minnum", "The lesser; the other one if one is a quiet NaN; either zero of two.", Commutative())
MaximumOp = _binary("maximum", "The greater; NaN if either is; +0 above -0.", Commutative())
MinimumOp = _binary("minimum", "The lesser; NaN if either is; -0 below +0.", Commutative())

FMAOp: type[FloatTernaryOp] = class_of(FloatTernaryOp, "fma", "a * b + c, rounded once.", camel="FMA")
FMulAddOp: type[FloatTernaryOp] = class_of(
    FloatTernaryOp, "fmuladd", "a * b + c, rounded once or twice.", camel="FMulAdd"
)
LdexpOp: type[FloatPowerOp] = class_of(FloatPowerOp, "ldexp", "val * 2**power.")
PowiOp: type[FloatPowerOp] = class_of(FloatPowerOp, "powi", "val to an integer power.")


@irdl_op_definition
class IsFPClassOp(IRDLOperation):
    """Whether a float is of one of the classes that the bits of `bit` name."""

    name = "llvm.intr.is.fpclass"

    arg = operand_def(FloatLike)
    bit = prop_def(IntegerAttr)
    res = result_def(I1 | VectorType[I1])

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, bit: int, result_type: Attribute = i1):
        Operation.__init__(
            self, operands=(arg,), result_types=(result_type,), properties={"bit": IntegerAttr(bit, i32)}
        )


# Integers


class IntegerFunctionOp(IRDLOperation):
    """A function of integers, or of the elements of vectors."""

    assembly_format = FORMAT

    def __init__(self, *operands: SSAValue):
        Operation.__init__(self, operands=operands, result_types=(operands[0].type,))


class IntegerUnaryOp(IntegerFunctionOp):
    """A function of one integer, or of each element of a vector."""

    arg = operand_def(_I)
    res = result_def(_I)


class IntegerBinaryOp(IntegerFunctionOp):
    """A function of two integers, or of the elements of two vectors."""

    lhs = operand_def(_I)
    rhs = operand_def(_I)
    res = result_def(_I)


class IntegerTernaryOp(IntegerFunctionOp):
    """A function of three integers, or of the elements of three vectors."""

    a = operand_def(_I)
    b = operand_def(_I)
    c = operand_def(_I)
    res = result_def(_I)


class CountZerosOp(IRDLOperation):
    """Counts zero bits at one end."""

    arg = operand_def(_I)
    res = result_def(_I)
    is_zero_poison = prop_def(BoolAttr)

    def __init__(self, arg: SSAValue, is_zero_poison: bool = False):
        properties: dict[str, Attribute] = {"is_zero_poison": BoolAttr.from_bool(is_zero_poison)}
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,), properties=properties)


@irdl_op_definition
class AbsOp(IRDLOperation):
    """The absolute value; of the least value itself, or poison."""

    name = "llvm.intr.abs"

    arg = operand_def(_I)
    res = result_def(_I)
    is_int_min_poison = prop_def(BoolAttr)

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, is_int_min_poison: bool = False):
        properties: dict[str, Attribute] = {"is_int_min_poison": BoolAttr.from_bool(is_int_min_poison)}
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,), properties=properties)


class OverflowOp(IRDLOperation):
    """A sum, difference or product, and whether it wrapped, as a struct."""

    lhs = operand_def(_I)
    rhs = operand_def(_I)
    res = result_def(LLVMStructType)

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        result = LLVMStructType.from_type_list([lhs.type, with_element(lhs.type, i1)])
        Operation.__init__(self, operands=(lhs, rhs), result_types=(result,))


def _integer(name: str, meaning: str, *more: OpTrait, camel: str | None = None) -> type[IntegerBinaryOp]:
    return class_of(IntegerBinaryOp, name, meaning, *more, camel=camel)


def _overflow(name: str, meaning: str) -> type[OverflowOp]:
    return class_of(OverflowOp, f"{name}.with.overflow", meaning)


SMaxOp = _integer("smax", "The greater of two signed values.", Commutative(), camel="SMax")
SMinOp = _integer("smin", "The lesser of two signed values.", Commutative(), camel="SMin")
UMaxOp = _integer("umax", "The greater of two unsigned values.", Commutative(), camel="UMax")
UMinOp = _integer("umin", "The lesser of two unsigned values.", Commutative(), camel="UMin")
SAddSatOp = _integer("sadd.sat", "The signed sum, held at the ends of the range.", Commutative())
UAddSatOp = _integer("uadd.sat", "The unsigned sum, held at the end of the range.", Commutative())
SSubSatOp = _integer("ssub.sat", "The signed difference, held at the ends of the range.")
USubSatOp = _integer("usub.sat", "The unsigned difference, held at zero.")
SShlSatOp = _integer("sshl.sat", "The signed shift to the left, held at the ends of the range.")
UShlSatOp = _integer("ushl.sat", "The unsigned shift to the left, held at the end of the range.")
SAddWithOverflowOp = _overflow("sadd", "The sum and whether it wrapped, signed.")
UAddWithOverflowOp = _overflow("uadd", "The sum and whether it wrapped, unsigned.")
SSubWithOverflowOp = _overflow("ssub", "The difference and whether it wrapped, signed.")
USubWithOverflowOp = _overflow("usub", "The difference and whether it wrapped, unsigned.")
SMulWithOverflowOp = _overflow("smul", "The product and whether it wrapped, signed.")
UMulWithOverflowOp = _overflow("umul", "The product and whether it wrapped, unsigned.")
CtlzOp: type[CountZerosOp] = class_of(
    CountZerosOp, "ctlz", "How many bits are zero above the highest one; of zero the width, or poison."
)
CttzOp: type[CountZerosOp] = class_of(
    CountZerosOp, "cttz", "How many bits are zero below the lowest one; of zero the width, or poison."
)
CtPopOp: type[IntegerUnaryOp] = class_of(IntegerUnaryOp, "ctpop", "How many bits are one.", camel="CtPop")
BitReverseOp: type[IntegerUnaryOp] = class_of(IntegerUnaryOp, "bitreverse", "The bits reversed.", camel="BitReverse")
ByteSwapOp: type[IntegerUnaryOp] = class_of(IntegerUnaryOp, "bswap", "The bytes reversed.", camel="ByteSwap")
FshlOp: type[IntegerTernaryOp] = class_of(
    IntegerTernaryOp, "fshl", "The high half of a:b shifted left by c modulo the width."
)
FshrOp: type[IntegerTernaryOp] = class_of(
    IntegerTernaryOp, "fshr", "The low half of a:b shifted right by c modulo the width."
)


class _BytesOp(AliasedOp):
    """Writes `len` bytes: those at a pointer, or a value."""

    is_volatile = prop_def(BoolAttr, prop_name="isVolatile")
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])

    def __init__(self, dst: SSAValue, source: SSAValue, len: SSAValue, volatile: bool = False):
        properties: dict[str, Attribute] = {"isVolatile": BoolAttr.from_bool(volatile)}
        Operation.__init__(self, operands=(dst, source, len), properties=properties)


class CopyOp(_BytesOp):
    """Copies `len` bytes."""

    dst = operand_def(LLVMPointerType)
    src = operand_def(LLVMPointerType)
    len = operand_def(SignlessIntegerConstraint)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MemcpyOp(CopyOp):
    """Copies `len` bytes between places that are the same or do not overlap."""

    name = "llvm.intr.memcpy"


@irdl_op_definition
class MemmoveOp(CopyOp):
    """Copies `len` bytes between places that may overlap."""

    name = "llvm.intr.memmove"


@irdl_op_definition
class MemsetOp(_BytesOp):
    """Sets `len` bytes to a value."""

    name = "llvm.intr.memset"

    dst = operand_def(LLVMPointerType)
    val = operand_def(SignlessIntegerConstraint)
    len = operand_def(SignlessIntegerConstraint)

    traits = traits_def(MemoryWriteEffect())


# Hints


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """Says that a condition holds. Bundles say more: `align`, `nonnull`, `dereferenceable`, `separate_storage`."""

    name = "llvm.intr.assume"

    cond = operand_def(I1)
    op_bundle_operands = var_operand_def()
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32))
    op_bundle_tags = opt_prop_def(ArrayAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, cond: SSAValue, bundles: Sequence[tuple[str, Sequence[SSAValue]]] = ()):
        properties: dict[str, Attribute] = {
            "op_bundle_sizes": DenseArrayBase.from_list(i32, [len(values) for _, values in bundles])
        }
        if bundles:
            properties["op_bundle_tags"] = ArrayAttr([StringAttr(tag) for tag, _ in bundles])
        operands = (cond, *[v for _, values in bundles for v in values])
        Operation.__init__(self, operands=operands, properties=properties)

    def bundles(self) -> list[tuple[str, Sequence[SSAValue]]]:
        """The tag and values of each bundle."""
        found: list[tuple[str, Sequence[SSAValue]]] = []
        values, start = self.op_bundle_operands, 0
        tags = () if self.op_bundle_tags is None else cast("ArrayAttr[StringAttr]", self.op_bundle_tags).data
        for tag, size in zip(tags, cast("Any", self.op_bundle_sizes).get_values(), strict=True):
            found.append((tag.data, values[start : start + size]))
            start += size
        return found

    @classmethod
    def parse(cls, parser: Parser) -> AssumeOp:
        def bundle() -> tuple[str, Sequence[SSAValue]]:
            tag = parser.parse_str_literal()
            with parser.in_parens():
                return tag, parse_values(parser)

        cond = parser.parse_unresolved_operand()
        bundles = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, bundle) or ()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(cond, parser.parse_type()), bundles)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        for number, (tag, values) in enumerate(bundles := self.bundles()):
            printer.print_string(", " if number else " [")
            printer.print_string_literal(tag)
            with printer.in_parens():
                print_values(printer, values)
            printer.print_string("]" if number + 1 == len(bundles) else "")
        print_typed(printer, {}, self.cond.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ExpectOp(IRDLOperation):
    """The value itself; says that it is probably the expected one."""

    name = "llvm.intr.expect"

    T: ClassVar = VarConstraint("T", SignlessIntegerConstraint)

    val = operand_def(T)
    expected = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$val `,` $expected attr-dict `:` type($val)"

    def __init__(self, val: SSAValue, expected: SSAValue):
        Operation.__init__(self, operands=(val, expected), result_types=(val.type,))


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Says that an address will be used soon.

    `rw` is 0 to read, 1 to write; `hint` from 0 (once) to 3 (often); `cache` 1 for data.
    """

    name = "llvm.intr.prefetch"

    addr = operand_def(LLVMPointerType)
    rw = prop_def(IntegerAttr)
    hint = prop_def(IntegerAttr)
    cache = prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, addr: SSAValue, rw: int = 0, hint: int = 3, cache: int = 1):
        properties: dict[str, Attribute] = {
            "rw": IntegerAttr(rw, i32),
            "hint": IntegerAttr(hint, i32),
            "cache": IntegerAttr(cache, i32),
        }
        Operation.__init__(self, operands=(addr,), properties=properties)


class _LifetimeOp(IRDLOperation):
    """Marks where a stack object starts or ends to live."""

    ptr = operand_def(LLVMPointerType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$ptr attr-dict `:` type($ptr)"

    def __init__(self, ptr: SSAValue):
        Operation.__init__(self, operands=(ptr,))


@irdl_op_definition
class LifetimeStartOp(_LifetimeOp):
    """The object's memory is undefined before this."""

    name = "llvm.intr.lifetime.start"


@irdl_op_definition
class LifetimeEndOp(_LifetimeOp):
    """The object is not used after this."""

    name = "llvm.intr.lifetime.end"


_T = VarConstraint("T", AnyAttr())


class ReduceOp(IRDLOperation):
    """A vector's elements combined into one."""

    arg = operand_def(VectorType.constr(_T))
    res = result_def(_T)

    def __init__(self, arg: SSAValue):
        Operation.__init__(self, operands=(arg,), result_types=(element_type(arg.type),))


class FloatReduceOp(FloatFunctionOp):
    """A vector of floats combined into one."""

    arg = operand_def(VectorType.constr(_T))
    res = result_def(_T)

    @staticmethod
    def result_type(operand: Attribute) -> Attribute:
        return element_type(operand)


class FloatAccumulateOp(IRDLOperation):
    """A vector of floats combined with a start value, in order unless `reassoc` is among the flags."""

    start_value = operand_def(_T)
    arg = operand_def(VectorType.constr(_T))
    res = result_def(_T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    def __init__(self, start_value: SSAValue, arg: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        properties = {"fastmathFlags": fastmath}
        Operation.__init__(self, operands=(start_value, arg), result_types=(start_value.type,), properties=properties)


def _reduce(name: str) -> type[ReduceOp]:
    return class_of(ReduceOp, f"vector.reduce.{name}", f"All elements combined by {name}.")


def _float_reduce(name: str) -> type[FloatReduceOp]:
    return class_of(FloatReduceOp, f"vector.reduce.{name}", f"All elements combined by {name}.")


def _accumulate(name: str) -> type[FloatAccumulateOp]:
    return class_of(FloatAccumulateOp, f"vector.reduce.{name}", f"The start value and all elements combined by {name}.")


ReduceAddOp = _reduce("add")
ReduceMulOp = _reduce("mul")
ReduceAndOp = _reduce("and")
ReduceOrOp = _reduce("or")
ReduceXorOp = _reduce("xor")
ReduceSMaxOp = _reduce("smax")
ReduceSMinOp = _reduce("smin")
ReduceUMaxOp = _reduce("umax")
ReduceUMinOp = _reduce("umin")
ReduceFMaxOp = _float_reduce("fmax")
ReduceFMinOp = _float_reduce("fmin")
ReduceFMaximumOp = _float_reduce("fmaximum")
ReduceFMinimumOp = _float_reduce("fminimum")
ReduceFAddOp = _accumulate("fadd")
ReduceFMulOp = _accumulate("fmul")


# Masked accesses


class _MaskedReadOp(IRDLOperation):
    mask = operand_def(VectorType[I1])
    pass_thru = opt_operand_def(AnyAttr())
    alignment = prop_def(IntegerAttr)
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(
        self, place: SSAValue, mask: SSAValue, result_type: Attribute, alignment: int, pass_thru: SSAValue | None = None
    ):
        Operation.__init__(
            self,
            operands=(place, mask) if pass_thru is None else (place, mask, pass_thru),
            result_types=(result_type,),
            properties={"alignment": IntegerAttr(alignment, i32)},
        )


@irdl_op_definition
class MaskedLoadOp(_MaskedReadOp):
    """Reads the elements of a vector whose mask is set; the others come from `pass_thru`, or are poison."""

    name = "llvm.intr.masked.load"

    data = operand_def(LLVMPointerType)
    nontemporal = opt_prop_def(UnitAttr)


@irdl_op_definition
class MaskedGatherOp(_MaskedReadOp):
    """Reads each element whose mask is set from an address of its own."""

    name = "llvm.intr.masked.gather"

    ptrs = operand_def(VectorType)


class _MaskedWriteOp(IRDLOperation):
    mask = operand_def(VectorType[I1])
    alignment = prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, value: SSAValue, place: SSAValue, mask: SSAValue, alignment: int):
        properties = {"alignment": IntegerAttr(alignment, i32)}
        Operation.__init__(self, operands=(value, place, mask), properties=properties)


@irdl_op_definition
class MaskedStoreOp(_MaskedWriteOp):
    """Writes the elements of a vector whose mask is set."""

    name = "llvm.intr.masked.store"

    value = operand_def(VectorType)
    data = operand_def(LLVMPointerType)

    assembly_format = "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)"


@irdl_op_definition
class MaskedScatterOp(_MaskedWriteOp):
    """Writes each element whose mask is set to an address of its own."""

    name = "llvm.intr.masked.scatter"

    value = operand_def(VectorType)
    ptrs = operand_def(VectorType)

    assembly_format = "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"
