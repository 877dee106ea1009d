"""The arith dialect: xDSL's operations, those of upstream that it lacks, and the vector forms it refuses.

xDSL's casts, comparisons and select take scalars only. The classes here derive from them, so `isinstance` with either
works, and add vectors and tensors.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import arith as xdsl_arith
from xdsl.dialects.arith import FastMathFlagsAttr, boolLike, floatingPointLike, signlessIntegerLike
from xdsl.dialects.builtin import IntegerAttr, TensorType, VectorType, i1
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure

from hologram.dialects.families import defined, over_stock
from hologram.dialects.shapes import with_element
from hologram.errors import VerifyError

NO_FASTMATH = FastMathFlagsAttr("none")


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a vector or tensor, or None for a scalar."""
    return type.get_shape() if isinstance(type, VectorType | TensorType) else None


def scalar_of(type: Attribute) -> Attribute:
    """The element type of a vector or tensor, or the type itself."""
    if isinstance(type, VectorType | TensorType):
        return type.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return type


def constant_of(value: SSAValue) -> int | None:
    """The number that an integer or index is known to be."""
    owner = value.owner
    if not isinstance(owner, xdsl_arith.ConstantOp) or not isinstance(owner.value, IntegerAttr):
        return None
    return owner.value.value.data


def trip_count(lower: SSAValue, upper: SSAValue, step: SSAValue) -> int | None:
    """How often a counted loop runs; None if that is not known."""
    first, last, by = constant_of(lower), constant_of(upper), constant_of(step)
    return None if first is None or last is None or by is None or by < 1 else max(0, -(-(last - first) // by))


def check_width(op: Operation, grows: bool) -> None:
    """Refuses a cast whose result is not wider, or not narrower, than its operand."""
    source, target = op.operands[0].type, op.results[0].type
    before, after = (getattr(scalar_of(t), "bitwidth", 0) for t in (source, target))
    if not (before < after if grows else before > after):
        relation = "wider" if grows else "narrower"
        raise VerifyError("arith-cast-width", f"{op.name} needs a result {relation} than its operand {source}")


class _SameShape(IRDLOperation):
    """The base of operations that change elements one by one: the result has the shape of the first operand."""

    GROWS: ClassVar[bool | None] = None
    """Whether the elements of the result are wider, or narrower, where they have to be."""

    def verify_(self) -> None:
        source, target = self.operands[0].type, self.results[0].type
        if shape_of(source) != shape_of(target):
            raise VerifyError("arith-cast-shape", f"{self.name} can't turn {source} into {target}: the shapes differ")
        if self.GROWS is None:
            return
        check_width(self, self.GROWS)


class _Cast(_SameShape):
    """The base of the casts below. The parent class has the syntax, so it isn't declared again."""

    assembly_format: ClassVar[str | None] = None


@irdl_op_definition
class IndexCastOp(_Cast, xdsl_arith.IndexCastOp):
    """Converts between index and an integer type, sign-extending to the wider one."""

    name = "arith.index_cast"

    input = operand_def(signlessIntegerLike)
    result = result_def(signlessIntegerLike)


@irdl_op_definition
class FPToSIOp(_Cast, xdsl_arith.FPToSIOp):
    """Rounds towards zero to a signed integer; out of range is poison."""

    name = "arith.fptosi"

    input = operand_def(floatingPointLike)
    result = result_def(signlessIntegerLike)


@irdl_op_definition
class FPToUIOp(_Cast, xdsl_arith.FPToUIOp):
    """Rounds towards zero to an unsigned integer; out of range is poison."""

    name = "arith.fptoui"

    input = operand_def(floatingPointLike)
    result = result_def(signlessIntegerLike)


@irdl_op_definition
class SIToFPOp(_Cast, xdsl_arith.SIToFPOp):
    """The nearest float to a signed integer."""

    name = "arith.sitofp"

    input = operand_def(signlessIntegerLike)
    result = result_def(floatingPointLike)


@irdl_op_definition
class UIToFPOp(_Cast, xdsl_arith.UIToFPOp):
    """The nearest float to an unsigned integer."""

    name = "arith.uitofp"

    input = operand_def(signlessIntegerLike)
    result = result_def(floatingPointLike)


@irdl_op_definition
class ExtSIOp(_Cast, xdsl_arith.ExtSIOp):
    """Widens an integer by its sign."""

    name = "arith.extsi"
    GROWS: ClassVar[bool | None] = True

    input = operand_def(signlessIntegerLike)
    result = result_def(signlessIntegerLike)

    traits = traits_def(Pure())


@irdl_op_definition
class ExtUIOp(_Cast, xdsl_arith.ExtUIOp):
    """Widens an integer with zeros."""

    name = "arith.extui"
    GROWS: ClassVar[bool | None] = True

    input = operand_def(signlessIntegerLike)
    result = result_def(signlessIntegerLike)


@irdl_op_definition
class TruncIOp(_Cast, xdsl_arith.TruncIOp):
    """Keeps the low bits of an integer."""

    name = "arith.trunci"
    GROWS: ClassVar[bool | None] = False

    input = operand_def(signlessIntegerLike)
    result = result_def(signlessIntegerLike)


class _ScalarOnly(RewritePattern):
    """xDSL's pattern for scalars, kept away from vectors: it makes an i1 of every comparison it folds."""

    def __init__(self, pattern: RewritePattern):
        self.pattern = pattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if len(op.results) == 1 and op.results[0].type == i1:
            self.pattern.match_and_rewrite(op, rewriter)


class _CmpiPatterns(HasCanonicalizationPatternsTrait):
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(map(_ScalarOnly, xdsl_arith.CmpiHasCanonicalizationPatterns.get_canonicalization_patterns()))


@irdl_op_definition
class CmpiOp(_SameShape, xdsl_arith.CmpiOp):
    """Compares integers; the result has the operands' shape."""

    name = "arith.cmpi"

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(signlessIntegerLike)
    rhs = operand_def(signlessIntegerLike)
    result = result_def(boolLike)

    def __init__(self, operand1: Operation | SSAValue, operand2: Operation | SSAValue, arg: int | str):
        super().__init__(operand1, operand2, arg)
        self.results[0]._type = with_element(self.lhs.type, i1)  # pyright: ignore[reportPrivateUsage]


# The definition gathers the traits of all parents; here one replaces the parent's.
CmpiOp.traits = traits_def(Pure(), _CmpiPatterns())


@irdl_op_definition
class CmpfOp(_SameShape, xdsl_arith.CmpfOp):
    """Compares floats; the result has the operands' shape."""

    name = "arith.cmpf"

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(floatingPointLike)
    rhs = operand_def(floatingPointLike)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))
    result = result_def(boolLike)

    def __init__(
        self,
        operand1: SSAValue | Operation,
        operand2: SSAValue | Operation,
        arg: int | str,
        fastmath: FastMathFlagsAttr = NO_FASTMATH,
    ):
        super().__init__(operand1, operand2, arg, fastmath)
        self.results[0]._type = with_element(self.lhs.type, i1)  # pyright: ignore[reportPrivateUsage]


@irdl_op_definition
class SelectOp(xdsl_arith.SelectOp):
    """The second operand where the first is true, else the third; a vector of conditions chooses by element."""

    name = "arith.select"

    _T: ClassVar = VarConstraint("_T", AnyAttr())

    cond = operand_def(boolLike)
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_T)

    assembly_format: ClassVar[str | None] = None

    def verify_(self) -> None:
        shape = shape_of(self.cond.type)
        if shape is not None and shape != shape_of(self.result.type):
            raise VerifyError(
                "arith-select-shape", f"arith.select of {self.result.type} can't choose by {self.cond.type}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        operands = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        condition, type = i1, parser.parse_type()
        if parser.parse_optional_punctuation(","):
            condition, type = type, parser.parse_type()
        resolved = parser.resolve_operands(operands, [condition, type, type], parser.pos)
        return cls.create(operands=resolved, result_types=[type], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.cond.type != i1:
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class IndexCastUIOp(_SameShape):
    """Converts between index and an integer type, zero-extending to the wider one."""

    name = "arith.index_castui"

    input = operand_def(signlessIntegerLike)
    result = result_def(signlessIntegerLike)

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, input: SSAValue, result_type: Attribute):
        super().__init__(operands=[input], result_types=[result_type])


@irdl_op_definition
class RemFOp(IRDLOperation):
    """The remainder of a truncating division, with the sign of the dividend (fmod)."""

    name = "arith.remf"

    T: ClassVar = VarConstraint("T", floatingPointLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue, fastmath: FastMathFlagsAttr | None = None):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type], properties={"fastmath": fastmath})


Arith = Dialect(
    "arith",
    over_stock(defined(globals(), Operation), xdsl_arith.Arith.operations),
    [*xdsl_arith.Arith.attributes],
    [xdsl_arith.ArithConstantMaterializationInterface()],
)
