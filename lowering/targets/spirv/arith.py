"""arith and math to spirv. Floats are never contracted unless the operation allows it; comparisons order NaNs as
arith says.

Of math there is what expand-math leaves: it becomes operations of the set GLSL.std.450 where that has them, else it is
computed by bits.
"""

from __future__ import annotations

import struct
from functools import reduce
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Operation, SSAValue

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
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return bits >> 16  # A constant of bf16 is exact in f32: its lower half is zero.


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


@sb.computed(RULES, *(op for verb, op in INTEGERS.items() if verb in sb.INTEGERS))
def integer(x: sb.Spirv, op: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    """An operation of integers; those of one bit are truth values here."""
    if (verb := VERBS[op.__class__]) not in sb.BOOLS:
        _refuse_bool(op, a)
    return x.binary(verb, a, b)


@sb.computed(RULES, *(FLOATS[verb] for verb in sb.FLOATS), arith.NegfOp)
def floating(x: sb.Spirv, op: Any, *operands: SSAValue) -> SSAValue:
    """An operation of floats, which is not contracted unless it allows that."""
    _no_bf16(op)
    if isinstance(op, arith.NegfOp):
        return x.op("FNegate", *operands)
    flags = op.fastmath
    contract = flags is not None and any(f.name in ("contract", "ALLOW_CONTRACT") for f in flags.data)
    return x.op(sb.FLOATS[VERBS[op.__class__]], *operands, exact=not contract)


@sb.computed(RULES, arith.RemSIOp)
def remainder(x: sb.Spirv, op: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    """The rest by the quotient: Vulkan says nothing of SRem where an operand is negative."""
    _refuse_bool(op, a)
    return x.sub(a, x.mul(x.sdiv(a, b), b))


@sb.computed(RULES, arith.CeilDivUIOp, arith.CeilDivSIOp, arith.FloorDivSIOp)
def rounded_division(x: sb.Spirv, op: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    """The quotient towards zero, and one step where there is a rest and the quotient's sign says so."""
    signed = not isinstance(op, arith.CeilDivUIOp)
    quotient = x.sdiv(a, b) if signed else x.div(a, b)
    rest = x.sub(a, x.mul(quotient, b))
    zero, one = x.constant(0, a.type), x.constant(1, a.type)
    step = x.compare("ne", rest, zero)
    if signed:
        opposite = x.compare("slt", x.xor(a, b), zero)
        if isinstance(op, arith.CeilDivSIOp):
            opposite = x.op("LogicalNot", opposite)
        step = x.both(step, opposite)
    moved = x.sub(quotient, one) if isinstance(op, arith.FloorDivSIOp) else x.add(quotient, one)
    return x.select(step, moved, quotient)


@sb.computed(RULES, arith.SelectOp)
def select(x: sb.Spirv, op: Operation, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
    """One of two values."""
    return x.select(condition, a, b)


@sb.computed(RULES, arith.CmpiOp)
def compare_integers(x: sb.Spirv, op: arith.CmpiOp, a: SSAValue, b: SSAValue) -> SSAValue:
    """A comparison of integers; truth values are widened where one is greater."""
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if spirv.is_bool(a.type):
        if predicate in ("eq", "ne"):
            return x.op("LogicalEqual" if predicate == "eq" else "LogicalNotEqual", a, b)
        a, b = (x.resize(v, sb.shaped(i32, a.type), signed=predicate.startswith("s")) for v in (a, b))
    return x.compare(predicate, a, b)


_FALSE, _ORDERED, _UNORDERED, _TRUE = 0, 7, 14, 15
_OF_ZERO = {1: (0, True), 2: (1, False), 3: (1, True), 4: (0x80000001, False), 5: (0x80000001, True), 13: (0, False)}
"""By predicate: the bits of the first number on the side of zero that it means, and whether zeros are meant too."""


@sb.computed(RULES, arith.CmpfOp)
def compare_floats(x: sb.Spirv, op: arith.CmpfOp, a: SSAValue, b: SSAValue) -> SSAValue:
    """A comparison of floats: those with zero are of bits where the device may flush."""
    predicate = op.predicate.value.data
    _no_bf16(op)
    if predicate in (_FALSE, _TRUE):
        return x.constant(predicate == _TRUE, sb.shaped(i1, a.type))
    if predicate in (_ORDERED, _UNORDERED):
        unordered = is_nan(x, a) if a is b else x.either(is_nan(x, a), is_nan(x, b))
        return unordered if predicate == _UNORDERED else x.op("LogicalNot", unordered)
    if predicate in _OF_ZERO and _may_flush(x, a) and _is_zero(op.rhs) and chooses_operand(op):
        return _compared_with_zero(x, predicate, a)
    return x.compare(arith.CMPF_COMPARISON_OPERATIONS[predicate], a, b)


def _may_flush(x: sb.Spirv, a: SSAValue) -> bool:
    """Return whether the device may take numbers of a type for zeros."""
    return sb.walk(x.rw).shared.flushes and spirv.element_of(a.type) == f32


def _is_zero(value: SSAValue) -> bool:
    if not isinstance(value.owner, arith.ConstantOp):
        return False
    known = value.owner.value
    if isinstance(known, DenseIntOrFPElementsAttr):
        return not any(known.get_values())
    return isinstance(known, FloatAttr) and not cast("FloatAttr[Any]", known).value.data


def _compared_with_zero(x: sb.Spirv, predicate: int, a: SSAValue) -> SSAValue:
    """A comparison of f32 with zero, by its bits."""
    bits, (start, is_equal) = x.bits(a), _OF_ZERO[predicate]

    def compared(predicate: str) -> SSAValue:
        return x.compare(predicate, x.both(bits, 0x7FFFFFFF), 0)

    if not start:
        return compared("eq" if is_equal else "ne")
    # NaN stands behind the numbers of its sign.
    beyond = x.compare("ult", x.sub(bits, start), 0x7F800000)
    return x.either(beyond, compared("eq")) if is_equal else beyond


def is_nan(x: sb.Spirv, a: SSAValue) -> SSAValue:
    """A test of a float for NaN."""
    return x.op("IsNan", a, type=sb.shaped(i1, a.type))


@sb.computed(RULES, arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp, arith.MinnumfOp)
def extreme_of(x: sb.Spirv, op: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    """The greater or lesser of two floats."""
    _no_bf16(op)
    greatest = isinstance(op, arith.MaximumfOp | arith.MaxnumfOp)
    return extreme(x, a, b, greatest=greatest, numbers=isinstance(op, arith.MaxnumfOp | arith.MinnumfOp))


def extreme(x: sb.Spirv, a: SSAValue, b: SSAValue, *, greatest: bool, numbers: bool) -> SSAValue:
    """The greater or lesser of two floats, -0 below 0. A NaN wins, or loses where `numbers` are asked for."""
    if _may_flush(x, a):
        above = x.compare("sgt" if greatest else "slt", _place(x, a), _place(x, b))
        picked = x.select(above, a, b)
    else:
        picked = x.select(x.compare("ogt" if greatest else "olt", a, b), a, b)
        picked = x.select(x.compare("oeq", a, b), _merged(x, a, b, greatest), picked)
    first, second = (b, a) if numbers else (a, b)
    picked = x.select(is_nan(x, b), second, picked)
    return x.select(is_nan(x, a), first, picked)


def _place(x: sb.Spirv, a: SSAValue) -> SSAValue:
    """An integer that orders f32: its bits, of negative numbers turned round."""
    bits = x.bits(a)
    return x.xor(bits, x.shr(x.ashr(bits, 31), 1))


def _merged(x: sb.Spirv, a: SSAValue, b: SSAValue, greatest: bool) -> SSAValue:
    """The greater or lesser of equal floats: only the sign of zero can differ."""
    bits = x.bits(a), x.bits(b)
    return x.bitcast(x.both(*bits) if greatest else x.either(*bits), a.type)


@sb.computed(RULES, arith.ExtUIOp, arith.TruncIOp, ours.IndexCastUIOp, arith.ExtSIOp)
def resize(x: sb.Spirv, op: Operation, a: SSAValue) -> SSAValue:
    """An integer of another width."""
    return x.resize(a, x.type(op), signed=isinstance(op, arith.ExtSIOp))


@sb.computed(RULES, arith.IndexCastOp)
def index_cast(x: sb.Spirv, op: arith.IndexCastOp, a: SSAValue) -> SSAValue:
    """An integer as an index, or back. A value that 32 bits can't hold becomes -1, above every size: guards find it."""
    type = x.type(op)
    cast = x.resize(a, type, signed=True)
    if isinstance(ours.scalar_of(op.result.type), IndexType) and sb.width_of(a.type) > sb.width_of(type):
        return x.select(x.compare("eq", x.resize(cast, a.type, signed=True), a), cast, -1)
    return cast


@sb.computed(RULES, arith.SIToFPOp, arith.UIToFPOp)
def from_integer(x: sb.Spirv, op: Operation, a: SSAValue) -> SSAValue:
    """An integer as a float."""
    _no_bf16(op)
    signed = isinstance(op, arith.SIToFPOp)
    if spirv.is_bool(a.type):
        a = x.resize(a, sb.shaped(i32, a.type), signed=signed)
    return x.op("ConvertSToF" if signed else "ConvertUToF", a, type=x.type(op))


@sb.computed(RULES, arith.FPToSIOp, arith.FPToUIOp)
def to_integer(x: sb.Spirv, op: Operation, a: SSAValue) -> SSAValue:
    """A float truncated to an integer."""
    _no_bf16(op)
    signed, type = isinstance(op, arith.FPToSIOp), x.type(op)
    wide = sb.shaped(i32, type) if spirv.is_bool(type) else type
    return x.resize(x.op("ConvertFToS" if signed else "ConvertFToU", a, type=wide), type, signed=signed)


@sb.computed(RULES, arith.ExtFOp, arith.TruncFOp)
def convert_float(x: sb.Spirv, op: Operation, a: SSAValue) -> SSAValue:
    """A float of another width."""
    _no_bf16(op)
    return x.op("FConvert", a, type=x.type(op))


@sb.computed(RULES, arith.BitcastOp)
def bitcast(x: sb.Spirv, op: Operation, a: SSAValue) -> SSAValue:
    """The same bits as another type."""
    return x.bitcast(a, x.type(op))


@RULES.on(arith.MulUIExtendedOp)
def wide_product(rw: Rewriter, op: arith.MulUIExtendedOp) -> None:
    """Both halves of a product: in twice the width, or of 64 bits from halves."""
    x, a, b = sb.Spirv(rw), rw.value(op.lhs), rw.value(op.rhs)
    rw.define(op.low, x.mul(a, b))
    rw.define(op.high, _high_half(x, a, b))


def _high_half(x: sb.Spirv, a: SSAValue, b: SSAValue) -> SSAValue:
    if (width := sb.width_of(a.type)) < 64:
        wide = sb.shaped(IntegerType(2 * width), a.type)
        product = x.mul(*(x.resize(v, wide) for v in (a, b)))
        return x.resize(x.shr(product, width), a.type)
    half, low = x.constant(32, a.type), x.constant(0xFFFFFFFF, a.type)

    def upper(v: SSAValue) -> SSAValue:
        return x.shr(v, half)

    def lower(v: SSAValue) -> SSAValue:
        return x.both(v, low)

    first = x.add(x.mul(upper(a), lower(b)), upper(x.mul(lower(a), lower(b))))
    second = x.add(x.mul(lower(a), upper(b)), lower(first))
    return x.add(x.mul(upper(a), upper(b)), x.add(upper(first), upper(second)))


_DIRECT: dict[type[Operation], str] = {
    math.AbsFOp: "GL.FAbs", math.CeilOp: "GL.Ceil", math.FloorOp: "GL.Floor", math.FmaOp: "GL.Fma",
}  # fmt: skip


@sb.computed(RULES, *_DIRECT)
def direct(x: sb.Spirv, op: Operation, *operands: SSAValue) -> SSAValue:
    """An operation that the device has."""
    return x.op(_DIRECT[type(op)], *operands)


@sb.computed(RULES, math.RoundEvenOp)
def round_even(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """To nearest; of f64 by a sum that leaves no bits for a fraction, since Mesa's own function takes 1.5 for 1 on
    processors without AVX2."""
    if spirv.element_of(value.type) != f64:
        return x.op("GL.RoundEven", value)
    size, big = x.op("GL.FAbs", value), x.constant(2.0**52, value.type)
    sum = x.op("FAdd", size, big, exact=True)
    whole = x.op("FSub", sum, big, exact=True)
    return x.select(x.compare("olt", size, 2.0**52), _with_sign(x, whole, value), value)


@sb.computed(RULES, math.SqrtOp)
def square_root(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The device's root, and where its last places may be wrong one step of Newton's method."""
    is_rough = sb.walk(x.rw).shared.rough_roots and spirv.element_of(value.type) == f32
    return _refined_root(x, value) if is_rough else x.op("GL.Sqrt", value)


def _refined_root(x: sb.Spirv, value: SSAValue) -> SSAValue:
    def number(n: float) -> SSAValue:
        return x.constant(n, value.type)

    # The residual of a small number would be subnormal.
    small = x.compare("olt", value, 2.0**-60)
    scaled = x.select(small, x.op("FMul", value, number(2.0**64), exact=True), value)
    root = x.op("GL.Sqrt", scaled)
    rest = x.op("GL.Fma", x.op("FNegate", root), root, scaled)
    better = x.op("GL.Fma", rest, x.op("FDiv", number(0.5), root, exact=True), root)
    # Zeros, infinity and NaN are right already.
    usual = x.compare("ogt", scaled, 0.0), x.compare("olt", root, 2.0**65)
    kept = x.select(x.both(*usual), better, root)
    return x.select(small, x.op("FMul", kept, number(2.0**-32), exact=True), kept)


@sb.computed(RULES, math.AbsIOp)
def absolute(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The absolute value of an integer."""
    return x.select(x.compare("slt", value, 0), x.op("SNegate", value), value)


@sb.computed(RULES, math.TruncOp)
def truncate(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """Towards zero; upstream's dialect has no GL.Trunc. Nothing is compared: a subnormal number has a sign."""
    return _with_sign(x, x.op("GL.Floor", x.op("GL.FAbs", value)), value)


@sb.computed(RULES, math.RoundOp)
def round_away(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The nearest integer, halves away from zero; GL.Round lets the device choose."""
    whole = truncate(x, op, value)
    rest = x.op("GL.FAbs", x.op("FSub", value, whole, exact=True))
    far = x.compare("oge", rest, 0.5)
    one = _with_sign(x, x.constant(1.0, value.type), value)
    return x.select(far, x.op("FAdd", whole, one, exact=True), whole)


@sb.computed(RULES, math.CopySignOp)
def copy_sign(x: sb.Spirv, op: Operation, value: SSAValue, sign: SSAValue) -> SSAValue:
    """A float with the sign of another."""
    return _with_sign(x, value, sign)


def _with_sign(x: sb.Spirv, value: SSAValue, sign: SSAValue) -> SSAValue:
    top = 1 << sb.width_of(value.type) - 1
    magnitude = x.both(x.bits(value), top - 1)
    return x.bitcast(x.either(magnitude, x.both(x.bits(sign), top)), value.type)


# Counting bits: the instructions take 32 bits, wider integers in halves, narrower ones extended.


@sb.computed(RULES, math.CtPopOp)
def count_ones(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The number of ones."""
    counts = [x.op("BitCount", word) for word in x.words(value)]
    return x.resize(reduce(x.add, counts), value.type)


@sb.computed(RULES, math.CountLeadingZerosOp)
def count_leading(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The number of zeros above the highest one: its place is -1 in a word of zeros, and 31 less that is 32."""
    words = x.words(value)
    counts = [x.sub(31, x.op("GL.FindUMsb", word)) for word in words]
    count = counts[0]
    if len(words) == 2:
        count = _either(x, words[1], counts[1], counts[0])
    elif (width := sb.width_of(value.type)) < 32:
        count = x.sub(count, 32 - width)
    return x.resize(count, value.type)


@sb.computed(RULES, math.CountTrailingZerosOp)
def count_trailing(x: sb.Spirv, op: Operation, value: SSAValue) -> SSAValue:
    """The number of zeros below the lowest one."""
    words, width = x.words(value), min(sb.width_of(value.type), 32)
    counts: list[SSAValue] = []
    for word in words:
        lowest = x.op("GL.FindILsb", word)
        counts.append(x.select(x.compare("eq", word, 0), width, lowest))
    count = counts[0] if len(words) == 1 else _either(x, words[0], counts[0], counts[1])
    return x.resize(count, value.type)


def _either(x: sb.Spirv, word: SSAValue, count: SSAValue, other: SSAValue) -> SSAValue:
    """The count in a word; where the word is zero, 32 and that in the other one."""
    beyond = x.add(other, 32)
    return x.select(x.compare("eq", word, 0), beyond, count)
