"""The scalar instructions (isa.md section 3), a row each: for lane programs and the regions of maps and reductions.

Meanings state the edge values; the reference functions are the oracle. Types beyond 64 bits, and the machine's control
and memory instructions, are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeGuard

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue, TypedAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.conversions import CvtBitsOp as CvtBitsOp
from hologram.dialects.atlas.conversions import CvtOp as CvtOp
from hologram.dialects.atlas.conversions import CvtSatfiniteOp as CvtSatfiniteOp
from hologram.dialects.atlas.form import Form, Modifier
from hologram.dialects.atlas.instruction import (
    Instruction,
    ScalarOp,
    constant_attr,
    constant_lanes,
    scalar,
    view,
)
from hologram.dialects.atlas.types import ALL, BOOL, DTYPES, FLOATS, INTEGERS, NUMBERS, DType
from hologram.dialects.lazy import np
from hologram.errors import VerifyError, parse_error, parse_word

if TYPE_CHECKING:
    from hologram.dialects.atlas.types import Array


def _ref(name: str) -> Any:
    """A function of reference.py, which imports numpy, found at the first call."""

    def call(*args: Any) -> Any:
        from hologram.dialects.atlas import reference

        return getattr(reference, name)(*args)

    return call


def _real(function: Callable[[Array], Array]) -> Callable[[DType, Array], Array]:
    """A real function, evaluated in float64 and rounded to the type."""

    def call(t: DType, a: Array) -> Array:
        from hologram.dialects.atlas import reference

        return reference.through_f64(function, t, a)

    return call


def _real2(function: Callable[[Array, Array], Array]) -> Callable[[DType, Array, Array], Array]:
    """The same for a function of two numbers."""

    def call(t: DType, a: Array, b: Array) -> Array:
        from hologram.dialects.atlas import reference

        return reference.through_f64(function, t, a, b)

    return call


# fmt: off
# Arithmetic

AddOp = scalar(
    "add", "a b", NUMBERS, "a + b; integers wrap, floats round once.", lambda t, a, b: a + b, commutative=True
)
SubOp = scalar("sub", "a b", NUMBERS, "a - b; integers wrap, floats round once.", lambda t, a, b: a - b)
MulOp = scalar(
    "mul", "a b", NUMBERS, "a * b; integers wrap, floats round once.", lambda t, a, b: a * b, commutative=True
)
DivOp = scalar(
    "div", "a b", NUMBERS,
    "a / b; integers truncate toward zero, least / -1 wraps, division by zero traps.", _ref("divide"),
    traps="integer division by zero",
)
RemOp = scalar(
    "rem", "a b", NUMBERS,
    "The remainder with the sign of the dividend; least % -1 is 0, integer zero traps, floats are fmod (C99), exact.",
    _ref("remainder"), traps="integer division by zero",
)
MadOp = scalar("mad", "a b c", NUMBERS, "a * b + c in two roundings.", lambda t, a, b, c: a * b + c)
FmaOp = scalar("fma", "a b c", NUMBERS, "a * b + c in one rounding; integers wrap.", _ref("fma"))
FmsOp = scalar("fms", "a b c", NUMBERS, "a * b - c in one rounding; integers wrap.", _ref("fms"))
MinOp = scalar(
    "min", "a b", NUMBERS, "The lesser; of floats the non-NaN operand (IEEE minimumNumber), -0 < +0.",
    _ref("minimum_number"), commutative=True,
)
MaxOp = scalar(
    "max", "a b", NUMBERS, "The greater; of floats the non-NaN operand (IEEE maximumNumber), -0 < +0.",
    _ref("maximum_number"), commutative=True,
)
MinNanOp = scalar(
    "min.nan", "a b", NUMBERS, "The lesser; of floats NaN wins (IEEE minimum), -0 < +0.",
    _ref("minimum"), commutative=True,
)
MaxNanOp = scalar(
    "max.nan", "a b", NUMBERS, "The greater; of floats NaN wins (IEEE maximum), -0 < +0.",
    _ref("maximum"), commutative=True,
)
AbsOp = scalar("abs", "a", NUMBERS, "|a|; the least integer wraps, unsigned is the identity.", _ref("absolute"))
NegOp = scalar("neg", "a", NUMBERS, "-a; the least integer wraps, -0 and +0 swap.", lambda t, a: -a)
SignOp = scalar("sign", "a", NUMBERS, "-1, 0 or 1; keeps -0 and NaN; unsigned 0 or 1.", _ref("sign"))
ClampOp = scalar("clamp", "x lo hi", NUMBERS, "min(max(x, lo), hi).", _ref("clamp"))
LerpOp = scalar("lerp", "a b t", FLOATS, "fma(t, b, fma(-t, a, a)).", _ref("lerp"))

# Logic

AndOp = scalar("and", "a b", INTEGERS | BOOL, "Bitwise and.", lambda t, a, b: a & b, commutative=True)
OrOp = scalar("or", "a b", INTEGERS | BOOL, "Bitwise or.", lambda t, a, b: a | b, commutative=True)
XorOp = scalar("xor", "a b", INTEGERS | BOOL, "Bitwise exclusive or.", lambda t, a, b: a ^ b, commutative=True)
NotOp = scalar("not", "a", INTEGERS | BOOL, "Bitwise complement.", lambda t, a: ~a)
ShlOp = scalar("shl", "a amount:u32", INTEGERS, "Shifts left; the amount counts modulo the width.", _ref("shift_left"))
ShrOp = scalar(
    "shr", "a amount:u32", INTEGERS, "Shifts right, arithmetic for signed types; the amount counts modulo the width.",
    _ref("shift_right"),
)
MovOp = scalar("mov", "a", ALL, "A copy of a; NaNs keep their bits.", lambda t, a: a)
SelOp = scalar("sel", "p:bool a b", ALL, "a where p holds, else b.", lambda t, p, a, b: np.where(p, a, b))

# Roundings

FloorOp = scalar("floor", "a", FLOATS, "Rounds toward -inf; keeps -0.", lambda t, a: np.floor(a))
CeilOp = scalar("ceil", "a", FLOATS, "Rounds toward +inf; gives -0 in (-1, -0].", lambda t, a: np.ceil(a))
RoundOp = scalar("round", "a", FLOATS, "Rounds to nearest, half to even.", lambda t, a: np.rint(a))
TruncOp = scalar("trunc", "a", FLOATS, "Rounds toward zero; keeps the sign of zero.", lambda t, a: np.trunc(a))

# Roots and reciprocals

SqrtOp = scalar(
    "sqrt", "a", FLOATS, "The square root, rounded once; NaN below -0, -0 at -0.", _real(lambda a: np.sqrt(a))
)
RsqrtOp = scalar(
    "rsqrt", "a", FLOATS, "1 / sqrt(a); NaN below -0, +inf at +0, -inf at -0.",
    _real(lambda a: 1 / np.sqrt(a)), exact=False,
)
RcpOp = scalar("rcp", "a", FLOATS, "1 / a, rounded once.", lambda t, a: np.ones_like(a) / a)

# Activations

ReluOp = scalar("relu", "a", NUMBERS, "+0 where a < 0, else a: NaN and -0 stay.", _ref("relu"))
SigmoidOp = scalar(
    "sigmoid", "a", FLOATS, "1 / (1 + exp(-a)); 0 at -inf, 1 at +inf.", _real(_ref("sigmoid")), exact=False
)
GeluOp = scalar("gelu", "a", FLOATS, "a * (1 + erf(a / sqrt 2)) / 2; -0 at -inf.", _real(_ref("gelu")), exact=False)
GeluTanhOp = scalar(
    "gelu.tanh", "a", FLOATS, "a * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 a^3))) / 2; -0 at -inf.",
    _real(_ref("gelu_tanh")), exact=False,
)
SwishOp = scalar("swish", "a", FLOATS, "a * sigmoid(a); -0 at -inf.", _real(_ref("swish")), exact=False)

# Transcendentals


def _function(name: str, meaning: str, function: Any, operands: str = "a") -> Any:
    return scalar(name, operands, FLOATS, meaning, function, exact=False)


ExpOp = _function("exp", "e^a; +0 at -inf, overflows to +inf.", _real(lambda a: np.exp(a)))
Exp2Op = _function("exp2", "2^a; +0 at -inf, overflows to +inf.", _real(lambda a: np.exp2(a)))
Expm1Op = _function("expm1", "e^a - 1 without cancellation; keeps -0, -1 at -inf.", _real(lambda a: np.expm1(a)))
LogOp = _function("log", "The natural logarithm; -inf at 0, NaN below.", _real(lambda a: np.log(a)))
Log2Op = _function("log2", "The logarithm to base 2; -inf at 0, NaN below.", _real(lambda a: np.log2(a)))
Log10Op = _function("log10", "The logarithm to base 10; -inf at 0, NaN below.", _real(lambda a: np.log10(a)))
Log1pOp = _function("log1p", "log(1 + a) without cancellation; keeps -0, -inf at -1.", _real(lambda a: np.log1p(a)))
PowOp = _function(
    "pow", "a^b by C99 annex F: 1 at b = 0 and at a = 1, whatever the other.",
    _real2(lambda a, b: np.power(a, b)), "a b",
)
SinOp = _function("sin", "The sine of radians; keeps -0, NaN at infinities.", _real(lambda a: np.sin(a)))
CosOp = _function("cos", "The cosine of radians; NaN at infinities.", _real(lambda a: np.cos(a)))
TanOp = _function("tan", "The tangent of radians; keeps -0, NaN at infinities.", _real(lambda a: np.tan(a)))
AtanOp = _function("atan", "The arc tangent in (-pi/2, pi/2); keeps -0.", _real(lambda a: np.arctan(a)))
Atan2Op = _function(
    "atan2", "The angle of (b, a) in [-pi, pi] by C99 annex F.", _real2(lambda a, b: np.arctan2(a, b)), "a b"
)
TanhOp = _function("tanh", "The hyperbolic tangent; keeps -0, +-1 at infinities.", _real(lambda a: np.tanh(a)))
ErfOp = _function("erf", "The error function; keeps -0, +-1 at infinities.", _ref("erf"))

ROWS: tuple[type[ScalarOp], ...] = (
    AddOp, SubOp, MulOp, DivOp, RemOp, MadOp, FmaOp, FmsOp, MinOp, MaxOp, MinNanOp, MaxNanOp, AbsOp, NegOp, SignOp,
    ClampOp, LerpOp, AndOp, OrOp, XorOp, NotOp, ShlOp, ShrOp, MovOp, SelOp, FloorOp, CeilOp, RoundOp, TruncOp, SqrtOp,
    RsqrtOp, RcpOp, ReluOp, SigmoidOp, GeluOp, GeluTanhOp, SwishOp, ExpOp, Exp2Op, Expm1Op, LogOp, Log2Op, Log10Op,
    Log1pOp, PowOp, SinOp, CosOp, TanOp, AtanOp, Atan2Op, TanhOp, ErfOp,
)  # fmt: skip
"""Every instruction made from a row, in the order of the documentation."""

# fmt: on

INSTRUCTIONS: dict[str, type[ScalarOp]] = {op.INSTRUCTION.name: op for op in ROWS}
"""The same by name (`min.nan`)."""


# Instructions with a shape of their own


class Condition(StrEnum):
    """Conditions of `setcc`; the `u` forms read integers as unsigned."""

    eq = "eq"
    ne = "ne"
    lt = "lt"
    le = "le"
    gt = "gt"
    ge = "ge"
    ltu = "ltu"
    leu = "leu"
    gtu = "gtu"
    geu = "geu"


@irdl_attr_definition
class ConditionAttr(EnumAttribute[Condition]):
    """A condition, printed bare inside `atlas.setcc` and `hologram.compare`."""

    name = "atlas.condition"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Condition:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


def parse_condition(parser: Parser) -> Condition:
    """Parses a bare condition (`ltu`)."""
    known = [c.value for c in Condition]
    return Condition(
        parse_word(parser, known, "atlas-condition", "a condition", "the conditions are " + " ".join(known))
    )


@irdl_op_definition
class SetccOp(ScalarOp):
    """Compares: `eq ne lt le gt ge`, floats ordered (`ne` true on NaN); `ltu leu gtu geu` read integers as unsigned.

    Example::

        %p = atlas.setcc lt f32 %a, %b
    """

    name = "atlas.setcc"
    INSTRUCTION: ClassVar[Instruction] = Instruction(
        "setcc", {"a": "T", "b": "T"}, "bool", NUMBERS | BOOL, "Whether the condition holds.", _ref("compare"),
        "%p = atlas.setcc lt f32 %a, %b",
    )  # fmt: skip
    FORM: ClassVar[Form] = Form(
        "setcc", "=p:bool a:T b:T", {"type": NUMBERS | BOOL},
        (Modifier("condition", tuple(c.value for c in Condition)),), spelling="set{condition}",
    )  # fmt: skip
    condition = prop_def(ConditionAttr)
    a = operand_def()
    b = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(
        self, condition: Condition | str, dtype: DType | str, a: SSAValue | Operation, b: SSAValue | Operation
    ):
        super().__init__(dtype, a, b)
        self.properties["condition"] = ConditionAttr(Condition(condition))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parse_condition(parser)
        op = super().parse(parser)
        op.properties["condition"] = ConditionAttr(condition)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.condition.data.value}")
        super().print(printer)

    def verify_(self) -> None:
        super().verify_()
        if self.condition.data.value.endswith("u") and not self.dtype.is_integer:
            raise VerifyError(
                "atlas-unsigned-condition",
                f"'{self.condition.data.value}' compares integers as unsigned; {self.dtype.name} is no integer type",
                hint=f"use '{self.condition.data.value[:-1]}'",
            )

    def evaluate(self, a: Array, b: Array) -> Array:
        """The comparison over lanes in storage form."""
        from hologram.dialects.atlas import reference

        dtype = self.dtype
        return reference.compare(self.condition.data.value, dtype, view(a, dtype), view(b, dtype))

    def fold(self) -> tuple[Attribute, ...] | None:
        attrs = [ConstantLike.get_constant_value(v) for v in (self.a, self.b)]
        a, b = (None if attr is None else constant_lanes(attr, self.dtype) for attr in attrs)
        if a is None or b is None:
            return None
        return (constant_attr(self.evaluate(a, b)[0], DTYPES["bool"]),)


def is_number(value: Attribute) -> TypeGuard[TypedAttribute]:
    """Whether an attribute is a scalar constant."""
    return isinstance(value, IntegerAttr | FloatAttr)


@irdl_op_definition
class MovImmOp(IRDLOperation, HasFolderInterface):
    """A constant.

    Example::

        %c = atlas.mov_imm 1.5 : f32
    """

    name = "atlas.mov_imm"
    FORM: ClassVar[Form] = Form("mov_imm", "=d:T value:const", {"type": ALL})
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = prop_def(ParamAttrConstraint(IntegerAttr, (AnyAttr(), T)) | ParamAttrConstraint(FloatAttr, (AnyAttr(), T)))
    result = result_def(T)
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: TypedAttribute):
        super().__init__(result_types=[value.get_type()], properties={"value": value})

    @classmethod
    def of(cls, value: Any, dtype: DType) -> MovImmOp:
        """A Python number as a constant of `dtype`."""
        return cls(constant_attr(value, dtype))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        value = parser.parse_attribute()
        if not is_number(value):
            parse_error(
                parser, "atlas-constant", f"expected a number with a type such as '1.5 : f32', found {value}", at=start
            )
        op = cls(value)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.value)
        printer.print_op_attributes(self.attributes)

    def fold(self) -> tuple[Attribute, ...]:
        return (self.value,)


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded results become `atlas.mov_imm`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if is_number(value) and value.get_type() == type:
            return MovImmOp(value)
        return None
