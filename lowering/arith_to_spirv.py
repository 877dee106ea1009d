"""arith to spirv. Floats are never contracted unless the operation allows it; comparisons order NaNs as arith says."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr, VectorType, f32, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import arith as ours
from hologram.dialects import spirv
from hologram.errors import PassError
from hologram.lowering import spirv_build as sb
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.subnormals import chooses_operand

RULES = Rules()

_FLOATS: dict[type[Operation], str] = {
    arith.AddfOp: "FAdd", arith.SubfOp: "FSub", arith.MulfOp: "FMul", arith.DivfOp: "FDiv", arith.NegfOp: "FNegate",
}  # fmt: skip
_INTEGERS: dict[type[Operation], str] = {
    arith.AddiOp: "IAdd", arith.SubiOp: "ISub", arith.MuliOp: "IMul", arith.DivUIOp: "UDiv", arith.DivSIOp: "SDiv",
    arith.RemUIOp: "UMod", arith.ShLIOp: "ShiftLeftLogical",
    arith.ShRUIOp: "ShiftRightLogical", arith.ShRSIOp: "ShiftRightArithmetic", arith.AndIOp: "BitwiseAnd",
    arith.OrIOp: "BitwiseOr", arith.XOrIOp: "BitwiseXor", arith.MaxSIOp: "GL.SMax", arith.MinSIOp: "GL.SMin",
    arith.MaxUIOp: "GL.UMax", arith.MinUIOp: "GL.UMin",
}  # fmt: skip
_BOOLS: dict[str, str] = {
    "IAdd": "LogicalNotEqual", "ISub": "LogicalNotEqual", "IMul": "LogicalAnd", "BitwiseAnd": "LogicalAnd",
    "BitwiseOr": "LogicalOr", "BitwiseXor": "LogicalNotEqual", "GL.UMax": "LogicalOr", "GL.UMin": "LogicalAnd",
    "GL.SMax": "LogicalAnd", "GL.SMin": "LogicalOr",
}  # fmt: skip
"""What arithmetic of one bit is on truth values."""
_EXTENDED_WIDTH = 32
"""The set GLSL.std.450 takes integers of this width for sure."""


@RULES.on(arith.ConstantOp)
def constant(rw: Rewriter, op: arith.ConstantOp) -> None:
    value, type = op.value, rw.type(op.result.type)
    if isinstance(value, IntegerAttr):
        rw.define(op.result, sb.constant(rw, value.value.data, type))
        return
    if isinstance(value, FloatAttr):
        if spirv.is_integer(type):  # bf16
            rw.define(op.result, sb.constant(rw, _bf16_bits(value.value.data), type))
        else:
            rw.define(op.result, sb.literal(rw, cast("FloatAttr[Any]", value)))
        return
    assert isinstance(value, DenseIntOrFPElementsAttr)
    items = [float(v) if isinstance(v, float) else v for v in value.get_values()]
    rw.define(op.result, sb.literal(rw, DenseIntOrFPElementsAttr.from_list(cast(Any, type), cast(Any, items))))


def _bf16_bits(value: float) -> int:
    import struct

    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return bits >> 16  # A constant of bf16 is exact in f32: its lower half is zero.


def _float_rule(name: str) -> Any:
    def rule(rw: Rewriter, op: Operation) -> None:
        operands = [rw.value(v) for v in op.operands]
        type = rw.type(op.results[0].type)
        _no_bf16(op)
        flags = cast(Any, op).fastmath
        contract = flags is not None and any(f.name in ("contract", "ALLOW_CONTRACT") for f in flags.data)
        rw.define(op.results[0], sb.emit(rw, name, operands, type, exact=not contract and name != "FNegate"))

    return rule


def _no_bf16(op: Operation) -> None:
    for value in (*op.operands, *op.results):
        if getattr(ours.scalar_of(value.type), "name", "") == "bf16":
            raise PassError(
                op,
                "spirv-bf16",
                f"'{op.name}' computes bf16, which SPIR-V does not",
                hint="run expand-narrow-floats before convert-gpu-to-spirv",
            )


def _integer_rule(name: str) -> Any:
    def rule(rw: Rewriter, op: Operation) -> None:
        a, b = (rw.value(v) for v in op.operands)
        rw.define(op.results[0], integer(rw, op, name, a, b))

    return rule


def integer(rw: Rewriter, op: Operation, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
    """An operation of integers; those of one bit are truth values here."""
    if spirv.is_bool(a.type):
        if name not in _BOOLS:
            raise PassError(op, "spirv-bool", f"'{op.name}' of i1 has no lowering to spirv", hint="compute it in i32")
        return sb.emit(rw, _BOOLS[name], (a, b), a.type)
    if name.startswith("GL.") and sb.width_of(a.type) != _EXTENDED_WIDTH:
        test = {"GL.SMax": "SGreaterThan", "GL.SMin": "SLessThan", "GL.UMax": "UGreaterThan", "GL.UMin": "ULessThan"}
        return sb.select(rw, sb.emit(rw, test[name], (a, b), sb.shaped(i1, a.type)), a, b)
    return sb.emit(rw, name, (a, b), a.type)


for _op, _name in _FLOATS.items():
    RULES.on(_op)(_float_rule(_name))
for _op, _name in _INTEGERS.items():
    RULES.on(_op)(_integer_rule(_name))


@RULES.on(arith.RemSIOp)
def remainder(rw: Rewriter, op: arith.RemSIOp) -> None:
    """What the quotient leaves: Vulkan says nothing of SRem where an operand is negative."""
    a, b = rw.value(op.lhs), rw.value(op.rhs)
    quotient = integer(rw, op, "SDiv", a, b)
    rw.define(op.result, integer(rw, op, "ISub", a, integer(rw, op, "IMul", quotient, b)))


@RULES.on(arith.CeilDivUIOp, arith.CeilDivSIOp, arith.FloorDivSIOp)
def rounded_division(rw: Rewriter, op: arith.CeilDivUIOp | arith.CeilDivSIOp | arith.FloorDivSIOp) -> None:
    """The quotient towards zero, and one step where there is a rest and the quotient's sign says so."""
    a, b = rw.value(op.lhs), rw.value(op.rhs)
    type, truth = a.type, sb.shaped(i1, a.type)
    signed = not isinstance(op, arith.CeilDivUIOp)
    quotient = sb.emit(rw, "SDiv" if signed else "UDiv", (a, b), type)
    rest = sb.emit(rw, "ISub", (a, sb.emit(rw, "IMul", (quotient, b), type)), type)
    zero, one = sb.constant(rw, 0, type), sb.constant(rw, 1, type)
    step = sb.emit(rw, "INotEqual", (rest, zero), truth)
    if signed:
        opposite = sb.emit(rw, "SLessThan", (sb.emit(rw, "BitwiseXor", (a, b), type), zero), truth)
        if isinstance(op, arith.CeilDivSIOp):
            opposite = sb.logical_not(rw, opposite)
        step = sb.emit(rw, "LogicalAnd", (step, opposite), truth)
    name = "ISub" if isinstance(op, arith.FloorDivSIOp) else "IAdd"
    rw.define(op.result, sb.select(rw, step, sb.emit(rw, name, (quotient, one), type), quotient))


@RULES.on(arith.SelectOp)
def select(rw: Rewriter, op: arith.SelectOp) -> None:
    a, b = rw.value(op.lhs), rw.value(op.rhs)
    rw.define(op.result, sb.select(rw, rw.value(op.cond), a, b))


_ORDERS = (
    "IEqual", "INotEqual", "SLessThan", "SLessThanEqual", "SGreaterThan", "SGreaterThanEqual", "ULessThan",
    "ULessThanEqual", "UGreaterThan", "UGreaterThanEqual",
)  # fmt: skip


@RULES.on(arith.CmpiOp)
def compare_integers(rw: Rewriter, op: arith.CmpiOp) -> None:
    a, b, name = rw.value(op.lhs), rw.value(op.rhs), _ORDERS[op.predicate.value.data]
    type = sb.shaped(i1, a.type)
    if spirv.is_bool(a.type):
        if name in ("IEqual", "INotEqual"):
            rw.define(op.result, sb.emit(rw, "LogicalEqual" if name == "IEqual" else "LogicalNotEqual", (a, b), type))
            return
        wide = sb.shaped(i32, a.type)
        a, b = (sb.resize(rw, v, wide, signed=name.startswith("S")) for v in (a, b))
    rw.define(op.result, sb.emit(rw, name, (a, b), type))


_FLOAT_ORDERS = (
    None, "FOrdEqual", "FOrdGreaterThan", "FOrdGreaterThanEqual", "FOrdLessThan", "FOrdLessThanEqual", "FOrdNotEqual",
    None, "FUnordEqual", "FUnordGreaterThan", "FUnordGreaterThanEqual", "FUnordLessThan", "FUnordLessThanEqual",
    "FUnordNotEqual", None, None,
)  # fmt: skip
_FALSE, _ORDERED, _UNORDERED, _TRUE = 0, 7, 14, 15
_OF_ZERO = {1: (0, True), 2: (1, False), 3: (1, True), 4: (0x80000001, False), 5: (0x80000001, True), 13: (0, False)}
"""By predicate: the bits of the first number on the side of zero that it means, and whether zeros are meant too."""


@RULES.on(arith.CmpfOp)
def compare_floats(rw: Rewriter, op: arith.CmpfOp) -> None:
    a, b, predicate = rw.value(op.lhs), rw.value(op.rhs), op.predicate.value.data
    _no_bf16(op)
    type = sb.shaped(i1, a.type)
    if predicate in (_FALSE, _TRUE):
        rw.define(op.result, sb.constant(rw, predicate == _TRUE, type))
    elif predicate in (_ORDERED, _UNORDERED):
        unordered = is_nan(rw, a) if a is b else sb.emit(rw, "LogicalOr", (is_nan(rw, a), is_nan(rw, b)), type)
        rw.define(op.result, unordered if predicate == _UNORDERED else sb.logical_not(rw, unordered))
    elif predicate in _OF_ZERO and _may_flush(rw, a) and _is_zero(op.rhs) and chooses_operand(op):
        rw.define(op.result, _compared_with_zero(rw, predicate, a))
    else:
        name = _FLOAT_ORDERS[predicate]
        assert name is not None
        rw.define(op.result, sb.emit(rw, name, (a, b), type))


def _may_flush(rw: Rewriter, a: SSAValue) -> bool:
    """Whether the device may take numbers of a type for zeros."""
    return sb.walk(rw).shared.flushes and spirv.element_of(a.type) == f32


def _is_zero(value: SSAValue) -> bool:
    if not isinstance(value.owner, arith.ConstantOp):
        return False
    known = value.owner.value
    if isinstance(known, DenseIntOrFPElementsAttr):
        return not any(known.get_values())
    return isinstance(known, FloatAttr) and not cast("FloatAttr[Any]", known).value.data


def _compared_with_zero(rw: Rewriter, predicate: int, a: SSAValue) -> SSAValue:
    """A comparison of f32 with zero, by its bits."""
    bits, truth = sb.bitcast(rw, a, sb.bits_type(a.type)), sb.shaped(i1, a.type)

    def known(name: str, value: SSAValue, number: int) -> SSAValue:
        return sb.emit(rw, name, (value, sb.constant(rw, number, bits.type)), truth)

    start, is_equal = _OF_ZERO[predicate]

    def compared(name: str) -> SSAValue:
        magnitude = sb.emit(rw, "BitwiseAnd", (bits, sb.constant(rw, 0x7FFFFFFF, bits.type)), bits.type)
        return known(name, magnitude, 0)

    if not start:
        return compared("IEqual" if is_equal else "INotEqual")
    # NaN stands behind the numbers of its sign.
    place = sb.emit(rw, "ISub", (bits, sb.constant(rw, start, bits.type)), bits.type)
    beyond = known("ULessThan", place, 0x7F800000)
    return sb.emit(rw, "LogicalOr", (beyond, compared("IEqual")), truth) if is_equal else beyond


def is_nan(rw: Rewriter, a: SSAValue) -> SSAValue:
    """Whether a float is NaN."""
    return sb.emit(rw, "IsNan", (a,), sb.shaped(i1, a.type))


def _extreme_rule(greatest: bool, numbers: bool) -> Any:
    def rule(rw: Rewriter, op: Operation) -> None:
        _no_bf16(op)
        a, b = (rw.value(v) for v in op.operands)
        rw.define(op.results[0], extreme(rw, a, b, greatest=greatest, numbers=numbers))

    return rule


def extreme(rw: Rewriter, a: SSAValue, b: SSAValue, *, greatest: bool, numbers: bool) -> SSAValue:
    """The greater or lesser of two floats, -0 below 0. A NaN wins, or loses where `numbers` are asked for."""
    truth = sb.shaped(i1, a.type)
    if _may_flush(rw, a):
        order = "SGreaterThan" if greatest else "SLessThan"
        picked = sb.select(rw, sb.emit(rw, order, (_place(rw, a), _place(rw, b)), truth), a, b)
    else:
        order = "FOrdGreaterThan" if greatest else "FOrdLessThan"
        picked = sb.select(rw, sb.emit(rw, order, (a, b), truth), a, b)
        picked = sb.select(rw, sb.emit(rw, "FOrdEqual", (a, b), truth), _merged(rw, a, b, greatest), picked)
    first, second = (b, a) if numbers else (a, b)
    picked = sb.select(rw, is_nan(rw, b), second, picked)
    return sb.select(rw, is_nan(rw, a), first, picked)


def _place(rw: Rewriter, a: SSAValue) -> SSAValue:
    """An integer that orders f32: its bits, of negative numbers turned round."""
    bits = sb.bitcast(rw, a, sb.bits_type(a.type))

    def shifted(name: str, value: SSAValue, amount: int) -> SSAValue:
        return sb.emit(rw, name, (value, sb.constant(rw, amount, bits.type)), bits.type)

    turned = shifted("ShiftRightLogical", shifted("ShiftRightArithmetic", bits, 31), 1)
    return sb.emit(rw, "BitwiseXor", (bits, turned), bits.type)


def _merged(rw: Rewriter, a: SSAValue, b: SSAValue, greatest: bool) -> SSAValue:
    """Of equal floats the greater or lesser: only the sign of zero can differ."""
    bits = sb.bits_type(a.type)
    both = (sb.bitcast(rw, a, bits), sb.bitcast(rw, b, bits))
    return sb.bitcast(rw, sb.emit(rw, "BitwiseAnd" if greatest else "BitwiseOr", both, bits), a.type)


RULES.on(arith.MaximumfOp)(_extreme_rule(True, False))
RULES.on(arith.MinimumfOp)(_extreme_rule(False, False))
RULES.on(arith.MaxnumfOp)(_extreme_rule(True, True))
RULES.on(arith.MinnumfOp)(_extreme_rule(False, True))


@RULES.on(arith.ExtUIOp, arith.TruncIOp, ours.IndexCastUIOp)
def resize_unsigned(rw: Rewriter, op: Operation) -> None:
    rw.define(op.results[0], sb.resize(rw, rw.value(op.operands[0]), rw.type(op.results[0].type), signed=False))


@RULES.on(arith.ExtSIOp)
def resize_signed(rw: Rewriter, op: arith.ExtSIOp) -> None:
    rw.define(op.result, sb.resize(rw, rw.value(op.input), rw.type(op.result.type), signed=True))


@RULES.on(arith.IndexCastOp)
def index_cast(rw: Rewriter, op: arith.IndexCastOp) -> None:
    """What an index of 32 bits can't hold becomes -1: above every size, so that a guard finds it."""
    value, type = rw.value(op.input), rw.type(op.result.type)
    cast = sb.resize(rw, value, type, signed=True)
    if isinstance(ours.scalar_of(op.result.type), IndexType) and sb.width_of(value.type) > sb.width_of(type):
        back = sb.resize(rw, cast, value.type, signed=True)
        kept = sb.emit(rw, "IEqual", (back, value), sb.shaped(i1, type))
        cast = sb.select(rw, kept, cast, sb.constant(rw, -1, type))
    rw.define(op.result, cast)


@RULES.on(arith.SIToFPOp, arith.UIToFPOp)
def from_integer(rw: Rewriter, op: arith.SIToFPOp | arith.UIToFPOp) -> None:
    _no_bf16(op)
    signed = isinstance(op, arith.SIToFPOp)
    value = rw.value(op.input)
    if spirv.is_bool(value.type):
        value = sb.resize(rw, value, sb.shaped(i32, value.type), signed=signed)
    rw.define(op.result, sb.emit(rw, "ConvertSToF" if signed else "ConvertUToF", (value,), rw.type(op.result.type)))


@RULES.on(arith.FPToSIOp, arith.FPToUIOp)
def to_integer(rw: Rewriter, op: arith.FPToSIOp | arith.FPToUIOp) -> None:
    _no_bf16(op)
    signed = isinstance(op, arith.FPToSIOp)
    value, type = rw.value(op.input), rw.type(op.result.type)
    wide = sb.shaped(i32, type) if spirv.is_bool(type) else type
    number = sb.emit(rw, "ConvertFToS" if signed else "ConvertFToU", (value,), wide)
    rw.define(op.result, sb.resize(rw, number, type, signed=signed))


@RULES.on(arith.ExtFOp, arith.TruncFOp)
def convert_float(rw: Rewriter, op: arith.ExtFOp | arith.TruncFOp) -> None:
    _no_bf16(op)
    rw.define(op.result, sb.emit(rw, "FConvert", (rw.value(op.input),), rw.type(op.result.type)))


@RULES.on(arith.BitcastOp)
def bitcast(rw: Rewriter, op: arith.BitcastOp) -> None:
    value, type = rw.value(op.input), rw.type(op.result.type)
    rw.define(op.result, sb.bitcast(rw, value, type))


@RULES.on(arith.MulUIExtendedOp)
def wide_product(rw: Rewriter, op: arith.MulUIExtendedOp) -> None:
    """Both halves of a product: in twice the width, or of 64 bits from halves."""
    a, b = rw.value(op.lhs), rw.value(op.rhs)
    low = sb.emit(rw, "IMul", (a, b), a.type)
    rw.define(op.low, low)
    rw.define(op.high, _high_half(rw, a, b))


def _high_half(rw: Rewriter, a: SSAValue, b: SSAValue) -> SSAValue:
    width = sb.width_of(a.type)
    if width < 64:
        wide = _wider(a.type, 2 * width)
        product = sb.emit(rw, "IMul", tuple(sb.resize(rw, v, wide, signed=False) for v in (a, b)), wide)
        shifted = sb.emit(rw, "ShiftRightLogical", (product, sb.constant(rw, width, wide)), wide)
        return sb.resize(rw, shifted, a.type, signed=False)
    type, half, low = a.type, sb.constant(rw, 32, a.type), sb.constant(rw, 0xFFFFFFFF, a.type)

    def upper(v: SSAValue) -> SSAValue:
        return sb.emit(rw, "ShiftRightLogical", (v, half), type)

    def lower(v: SSAValue) -> SSAValue:
        return sb.emit(rw, "BitwiseAnd", (v, low), type)

    def times(x: SSAValue, y: SSAValue) -> SSAValue:
        return sb.emit(rw, "IMul", (x, y), type)

    def plus(x: SSAValue, y: SSAValue) -> SSAValue:
        return sb.emit(rw, "IAdd", (x, y), type)

    first = plus(times(upper(a), lower(b)), upper(times(lower(a), lower(b))))
    second = plus(times(lower(a), upper(b)), lower(first))
    return plus(times(upper(a), upper(b)), plus(upper(first), upper(second)))


def _wider(type: Attribute, width: int) -> Attribute:
    from xdsl.dialects.builtin import IntegerType

    element = IntegerType(width)
    return VectorType(element, type.get_shape()) if isinstance(type, VectorType) else element
