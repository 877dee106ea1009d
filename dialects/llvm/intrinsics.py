"""The intrinsics of the llvm dialect, `llvm.intr.*`: a row of a table each where a family shares a shape."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    I1,
    BoolAttr,
    IntegerAttr,
    SignlessIntegerConstraint,
    VectorType,
    i1,
    i32,
)
from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, OpTrait, Pure

from hologram.dialects.families import member
from hologram.dialects.llvm.arithmetic import NO_FASTMATH, FloatLike, IntegerLike, with_element
from hologram.dialects.llvm.types import LLVMStructType

FORMAT = "`(` operands `)` attr-dict `:` functional-type(operands, results)"


def class_of(base: type[Any], name: str, meaning: str, *more: OpTrait, camel: str | None = None) -> type[Any]:
    """One row as a class: `llvm.intr.<name>`."""
    camel = camel or "".join(part.capitalize() for part in name.replace(".", "_").split("_"))
    fields = {"__doc__": meaning, "__module__": base.__module__, "name": f"llvm.intr.{name}"}
    return member(base, f"{camel}Op", fields, [Pure(), *more])


# Floats


class FloatUnaryOp(IRDLOperation):
    """A function of one float, or of each element of a vector."""

    T: ClassVar = VarConstraint("T", FloatLike)

    arg = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, arg: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,), properties={"fastmathFlags": fastmath})


class FloatBinaryOp(IRDLOperation):
    """A function of two floats, or of the elements of two vectors."""

    T: ClassVar = VarConstraint("T", FloatLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, lhs: SSAValue, rhs: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(self, operands=(lhs, rhs), result_types=(lhs.type,), properties={"fastmathFlags": fastmath})


class FloatTernaryOp(IRDLOperation):
    """A function of three floats, or of the elements of three vectors."""

    T: ClassVar = VarConstraint("T", FloatLike)

    a = operand_def(T)
    b = operand_def(T)
    c = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, a: SSAValue, b: SSAValue, c: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(self, operands=(a, b, c), result_types=(a.type,), properties={"fastmathFlags": fastmath})


class FloatPowerOp(IRDLOperation):
    """A function of a float and an integer."""

    T: ClassVar = VarConstraint("T", FloatLike)

    val = operand_def(T)
    power = operand_def(SignlessIntegerConstraint)
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, val: SSAValue, power: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(
            self, operands=(val, power), result_types=(val.type,), properties={"fastmathFlags": fastmath}
        )


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


class IntegerUnaryOp(IRDLOperation):
    """A function of one integer, or of each element of a vector."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    arg = operand_def(T)
    res = result_def(T)

    assembly_format = FORMAT

    def __init__(self, arg: SSAValue):
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,))


class IntegerBinaryOp(IRDLOperation):
    """A function of two integers, or of the elements of two vectors."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)

    assembly_format = FORMAT

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        Operation.__init__(self, operands=(lhs, rhs), result_types=(lhs.type,))


class IntegerTernaryOp(IRDLOperation):
    """A function of three integers, or of the elements of three vectors."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    a = operand_def(T)
    b = operand_def(T)
    c = operand_def(T)
    res = result_def(T)

    assembly_format = FORMAT

    def __init__(self, a: SSAValue, b: SSAValue, c: SSAValue):
        Operation.__init__(self, operands=(a, b, c), result_types=(a.type,))


class CountZerosOp(IRDLOperation):
    """Counts zero bits at one end."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    arg = operand_def(T)
    res = result_def(T)
    is_zero_poison = prop_def(BoolAttr)

    def __init__(self, arg: SSAValue, is_zero_poison: bool = False):
        properties: dict[str, Attribute] = {"is_zero_poison": BoolAttr.from_bool(is_zero_poison)}
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,), properties=properties)


@irdl_op_definition
class AbsOp(IRDLOperation):
    """The absolute value; of the least value itself, or poison."""

    name = "llvm.intr.abs"

    T: ClassVar = VarConstraint("T", IntegerLike)

    arg = operand_def(T)
    res = result_def(T)
    is_int_min_poison = prop_def(BoolAttr)

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, is_int_min_poison: bool = False):
        properties: dict[str, Attribute] = {"is_int_min_poison": BoolAttr.from_bool(is_int_min_poison)}
        Operation.__init__(self, operands=(arg,), result_types=(arg.type,), properties=properties)


class OverflowOp(IRDLOperation):
    """A sum, difference or product, and whether it wrapped, as a struct."""

    T: ClassVar = VarConstraint("T", IntegerLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
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
