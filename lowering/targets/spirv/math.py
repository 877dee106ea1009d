"""math to spirv: what expand-math leaves, by the set GLSL.std.450 where it has the operation, else by bits."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import math
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from hologram.dialects import spirv
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.targets.spirv import build as sb

RULES = Rules()

_DIRECT: dict[type[Operation], str] = {
    math.AbsFOp: "GL.FAbs", math.CeilOp: "GL.Ceil", math.FloorOp: "GL.Floor", math.RoundEvenOp: "GL.RoundEven",
    math.FmaOp: "GL.Fma",
}  # fmt: skip


@sb.computed(RULES, *_DIRECT)
def direct(x: sb.Spirv, op: Operation, *operands: SSAValue) -> SSAValue:
    """An operation that the device has."""
    return x.op(_DIRECT[type(op)], *operands)


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
