"""arith to spirv. Floats are never contracted unless the operation allows it; comparisons order NaNs as arith says."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr, VectorType, f32, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import arith as ours
from hologram.dialects import spirv
from hologram.dialects.verbs import FLOATS, INTEGERS, VERBS
from hologram.errors import PassError
from hologram.lowering.arithmetic.subnormals import chooses_operand
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.spirv import build as sb

RULES = Rules()


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


def _refuse_bool(op: Operation, operand: SSAValue) -> None:
    """Raises if the operation computes truth values, which SPIR-V does no arithmetic with."""
    if spirv.is_bool(operand.type):
        raise PassError(op, "spirv-bool", f"'{op.name}' of i1 has no lowering to spirv", hint="compute it in i32")


@RULES.on(*(op for verb, op in INTEGERS.items() if verb in sb.INTEGERS))
def integer(rw: Rewriter, op: Any) -> None:
    """An operation of integers; those of one bit are truth values here."""
    a, b, verb = rw.value(op.lhs), rw.value(op.rhs), VERBS[op.__class__]
    if verb not in sb.BOOLS:
        _refuse_bool(op, a)
    rw.define(op.result, sb.Spirv(rw).binary(verb, a, b))


for _verb, _name in sb.FLOATS.items():
    RULES.on(FLOATS[_verb])(_float_rule(_name))
RULES.on(arith.NegfOp)(_float_rule("FNegate"))


@RULES.on(arith.RemSIOp)
def remainder(rw: Rewriter, op: arith.RemSIOp) -> None:
    """What the quotient leaves: Vulkan says nothing of SRem where an operand is negative."""
    code, a, b = sb.Spirv(rw), rw.value(op.lhs), rw.value(op.rhs)
    _refuse_bool(op, a)
    rw.define(op.result, code.sub(a, code.mul(code.sdiv(a, b), b)))


@RULES.on(arith.CeilDivUIOp, arith.CeilDivSIOp, arith.FloorDivSIOp)
def rounded_division(rw: Rewriter, op: arith.CeilDivUIOp | arith.CeilDivSIOp | arith.FloorDivSIOp) -> None:
    """The quotient towards zero, and one step where there is a rest and the quotient's sign says so."""
    code, a, b = sb.Spirv(rw), rw.value(op.lhs), rw.value(op.rhs)
    signed = not isinstance(op, arith.CeilDivUIOp)
    quotient = code.sdiv(a, b) if signed else code.div(a, b)
    rest = code.sub(a, code.mul(quotient, b))
    zero, one = code.constant(0, a.type), code.constant(1, a.type)
    step = code.compare("ne", rest, zero)
    if signed:
        opposite = code.compare("slt", code.xor(a, b), zero)
        if isinstance(op, arith.CeilDivSIOp):
            opposite = sb.logical_not(rw, opposite)
        step = code.both(step, opposite)
    moved = code.sub(quotient, one) if isinstance(op, arith.FloorDivSIOp) else code.add(quotient, one)
    rw.define(op.result, code.select(step, moved, quotient))


@RULES.on(arith.SelectOp)
def select(rw: Rewriter, op: arith.SelectOp) -> None:
    a, b = rw.value(op.lhs), rw.value(op.rhs)
    rw.define(op.result, sb.Spirv(rw).select(rw.value(op.cond), a, b))


@RULES.on(arith.CmpiOp)
def compare_integers(rw: Rewriter, op: arith.CmpiOp) -> None:
    a, b, predicate = rw.value(op.lhs), rw.value(op.rhs), arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if spirv.is_bool(a.type):
        if predicate in ("eq", "ne"):
            name = "LogicalEqual" if predicate == "eq" else "LogicalNotEqual"
            rw.define(op.result, sb.emit(rw, name, (a, b), sb.shaped(i1, a.type)))
            return
        wide = sb.shaped(i32, a.type)
        a, b = (sb.resize(rw, v, wide, signed=predicate.startswith("s")) for v in (a, b))
    rw.define(op.result, sb.Spirv(rw).compare(predicate, a, b))


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
        unordered = is_nan(rw, a) if a is b else sb.Spirv(rw).either(is_nan(rw, a), is_nan(rw, b))
        rw.define(op.result, unordered if predicate == _UNORDERED else sb.logical_not(rw, unordered))
    elif predicate in _OF_ZERO and _may_flush(rw, a) and _is_zero(op.rhs) and chooses_operand(op):
        rw.define(op.result, _compared_with_zero(rw, predicate, a))
    else:
        rw.define(op.result, sb.Spirv(rw).compare(arith.CMPF_COMPARISON_OPERATIONS[predicate], a, b))


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
    code, bits = sb.Spirv(rw), sb.bitcast(rw, a, sb.bits_type(a.type))

    start, is_equal = _OF_ZERO[predicate]

    def compared(predicate: str) -> SSAValue:
        return code.compare(predicate, code.both(bits, 0x7FFFFFFF), 0)

    if not start:
        return compared("eq" if is_equal else "ne")
    # NaN stands behind the numbers of its sign.
    beyond = code.compare("ult", code.sub(bits, start), 0x7F800000)
    return code.either(beyond, compared("eq")) if is_equal else beyond


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
    code = sb.Spirv(rw)
    if _may_flush(rw, a):
        above = code.compare("sgt" if greatest else "slt", _place(rw, a), _place(rw, b))
        picked = code.select(above, a, b)
    else:
        picked = code.select(code.compare("ogt" if greatest else "olt", a, b), a, b)
        picked = code.select(code.compare("oeq", a, b), _merged(rw, a, b, greatest), picked)
    first, second = (b, a) if numbers else (a, b)
    picked = code.select(is_nan(rw, b), second, picked)
    return code.select(is_nan(rw, a), first, picked)


def _place(rw: Rewriter, a: SSAValue) -> SSAValue:
    """An integer that orders f32: its bits, of negative numbers turned round."""
    code, bits = sb.Spirv(rw), sb.bitcast(rw, a, sb.bits_type(a.type))
    return code.xor(bits, code.shr(code.ashr(bits, 31), 1))


def _merged(rw: Rewriter, a: SSAValue, b: SSAValue, greatest: bool) -> SSAValue:
    """Of equal floats the greater or lesser: only the sign of zero can differ."""
    code, bits = sb.Spirv(rw), sb.bits_type(a.type)
    x, y = sb.bitcast(rw, a, bits), sb.bitcast(rw, b, bits)
    return sb.bitcast(rw, code.both(x, y) if greatest else code.either(x, y), a.type)


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
        kept = sb.Spirv(rw).compare("eq", back, value)
        cast = sb.Spirv(rw).select(kept, cast, -1)
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
    rw.define(op.low, sb.Spirv(rw).mul(a, b))
    rw.define(op.high, _high_half(rw, a, b))


def _high_half(rw: Rewriter, a: SSAValue, b: SSAValue) -> SSAValue:
    code, width = sb.Spirv(rw), sb.width_of(a.type)
    if width < 64:
        wide = _wider(a.type, 2 * width)
        product = code.mul(*(sb.resize(rw, v, wide, signed=False) for v in (a, b)))
        return sb.resize(rw, code.shr(product, width), a.type, signed=False)
    half, low = code.constant(32, a.type), code.constant(0xFFFFFFFF, a.type)

    def upper(v: SSAValue) -> SSAValue:
        return code.shr(v, half)

    def lower(v: SSAValue) -> SSAValue:
        return code.both(v, low)

    first = code.add(code.mul(upper(a), lower(b)), upper(code.mul(lower(a), lower(b))))
    second = code.add(code.mul(lower(a), upper(b)), lower(first))
    return code.add(code.mul(upper(a), upper(b)), code.add(upper(first), upper(second)))


def _wider(type: Attribute, width: int) -> Attribute:
    from xdsl.dialects.builtin import IntegerType

    element = IntegerType(width)
    return VectorType(element, type.get_shape()) if isinstance(type, VectorType) else element
