"""math to spirv: what expand-math leaves, by the set GLSL.std.450 where it has the operation, else by bits."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import math
from xdsl.dialects.builtin import f32, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import spirv
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.spirv import build as sb

RULES = Rules()

_DIRECT: dict[type[Operation], str] = {
    math.AbsFOp: "GL.FAbs", math.CeilOp: "GL.Ceil", math.FloorOp: "GL.Floor", math.RoundEvenOp: "GL.RoundEven",
    math.FmaOp: "GL.Fma",
}  # fmt: skip


def _direct_rule(name: str) -> Any:
    def rule(rw: Rewriter, op: Operation) -> None:
        type = rw.type(op.results[0].type)
        rw.define(op.results[0], sb.emit(rw, name, [rw.value(v) for v in op.operands], type))

    return rule


for _op, _name in _DIRECT.items():
    RULES.on(_op)(_direct_rule(_name))


@RULES.on(math.SqrtOp)
def square_root(rw: Rewriter, op: math.SqrtOp) -> None:
    """The device's, and where its last places may be wrong one step of Newton's method."""
    value = rw.value(op.operand)
    is_rough = sb.walk(rw).shared.rough_roots and spirv.element_of(value.type) == f32
    rw.define(op.result, _refined_root(rw, value) if is_rough else sb.emit(rw, "GL.Sqrt", (value,), value.type))


def _refined_root(rw: Rewriter, value: SSAValue) -> SSAValue:
    type, truth = value.type, sb.shaped(i1, value.type)

    def made(name: str, *operands: SSAValue | float, to: Attribute = type) -> SSAValue:
        given = [v if isinstance(v, SSAValue) else sb.constant(rw, v, type) for v in operands]
        return sb.emit(rw, name, given, to, exact=name in ("FMul", "FDiv"))

    # The residual of a small number would be subnormal.
    small = made("FOrdLessThan", value, 2.0**-60, to=truth)
    scaled = sb.Spirv(rw).select(small, made("FMul", value, 2.0**64), value)
    root = made("GL.Sqrt", scaled)
    rest = made("GL.Fma", made("FNegate", root), root, scaled)
    better = made("GL.Fma", rest, made("FDiv", sb.constant(rw, 0.5, type), root), root)
    # Zeros, infinity and NaN are right already.
    usual = (made("FOrdGreaterThan", scaled, 0.0, to=truth), made("FOrdLessThan", root, 2.0**65, to=truth))
    found = sb.Spirv(rw).select(sb.Spirv(rw).both(*usual), better, root)
    return sb.Spirv(rw).select(small, made("FMul", found, 2.0**-32), found)


@RULES.on(math.AbsIOp)
def absolute(rw: Rewriter, op: math.AbsIOp) -> None:
    value = rw.value(op.operand)
    negative = sb.Spirv(rw).compare("slt", value, 0)
    rw.define(op.result, sb.Spirv(rw).select(negative, sb.emit(rw, "SNegate", (value,), value.type), value))


@RULES.on(math.TruncOp)
def truncate(rw: Rewriter, op: math.TruncOp) -> None:
    rw.define(op.result, _truncated(rw, rw.value(op.operand)))


def _truncated(rw: Rewriter, value: SSAValue) -> SSAValue:
    """Towards zero; upstream's dialect has no GL.Trunc. Nothing is compared: a subnormal number has a sign."""
    magnitude = sb.emit(rw, "GL.FAbs", (value,), value.type)
    return _with_sign(rw, sb.emit(rw, "GL.Floor", (magnitude,), value.type), value)


@RULES.on(math.RoundOp)
def round_away(rw: Rewriter, op: math.RoundOp) -> None:
    """To the nearest integer, halves away from zero; GL.Round lets the device choose."""
    value = rw.value(op.operand)
    whole = _truncated(rw, value)
    rest = sb.emit(rw, "GL.FAbs", (sb.emit(rw, "FSub", (value, whole), value.type, exact=True),), value.type)
    far = sb.Spirv(rw).compare("oge", rest, 0.5)
    one = _with_sign(rw, sb.constant(rw, 1.0, value.type), value)
    rw.define(op.result, sb.Spirv(rw).select(far, sb.emit(rw, "FAdd", (whole, one), value.type, exact=True), whole))


@RULES.on(math.CopySignOp)
def copy_sign(rw: Rewriter, op: math.CopySignOp) -> None:
    rw.define(op.result, _with_sign(rw, rw.value(op.lhs), rw.value(op.rhs)))


def _with_sign(rw: Rewriter, value: SSAValue, sign: SSAValue) -> SSAValue:
    bits = sb.bits_type(value.type)
    top = 1 << sb.width_of(bits) - 1
    magnitude = sb.Spirv(rw).both(sb.bitcast(rw, value, bits), top - 1)
    high = sb.Spirv(rw).both(sb.bitcast(rw, sign, bits), top)
    return sb.bitcast(rw, sb.Spirv(rw).either(magnitude, high), value.type)


# Counting bits: the instructions take 32 bits, wider integers in halves, narrower ones extended.


@RULES.on(math.CtPopOp)
def count_ones(rw: Rewriter, op: math.CtPopOp) -> None:
    value = rw.value(op.operand)
    parts = [sb.emit(rw, "BitCount", (part,), part.type) for part in _words(rw, value)]
    total = parts[0] if len(parts) == 1 else sb.emit(rw, "IAdd", parts, parts[0].type)
    rw.define(op.result, sb.resize(rw, total, value.type, signed=False))


@RULES.on(math.CountLeadingZerosOp)
def count_leading(rw: Rewriter, op: math.CountLeadingZerosOp) -> None:
    value = rw.value(op.operand)
    words = _words(rw, value)
    counts = [_leading(rw, part) for part in words]
    count = counts[0]
    if len(words) == 2:
        count = _either(rw, words[1], counts[1], counts[0])
    elif (width := sb.width_of(value.type)) < 32:
        count = sb.Spirv(rw).sub(count, 32 - width)
    rw.define(op.result, sb.resize(rw, count, value.type, signed=False))


@RULES.on(math.CountTrailingZerosOp)
def count_trailing(rw: Rewriter, op: math.CountTrailingZerosOp) -> None:
    value = rw.value(op.operand)
    words = _words(rw, value)
    width = sb.width_of(value.type)
    counts = [_trailing(rw, part, min(width, 32)) for part in words]
    count = counts[0] if len(words) == 1 else _either(rw, words[0], counts[0], counts[1])
    rw.define(op.result, sb.resize(rw, count, value.type, signed=False))


def _words(rw: Rewriter, value: SSAValue) -> list[SSAValue]:
    """An integer as words of 32 bits, the lowest first."""
    word = sb.shaped(i32, value.type)
    if sb.width_of(value.type) <= 32:
        return [sb.resize(rw, value, word, signed=False)]
    upper = sb.Spirv(rw).shr(value, 32)
    return [sb.resize(rw, part, word, signed=False) for part in (value, upper)]


def _leading(rw: Rewriter, word: SSAValue) -> SSAValue:
    """The highest bit's place is -1 in a word of zeros: 31 less that is 32."""
    highest = sb.emit(rw, "GL.FindUMsb", (word,), word.type)
    return sb.Spirv(rw).sub(31, highest)


def _trailing(rw: Rewriter, word: SSAValue, width: int) -> SSAValue:
    lowest = sb.emit(rw, "GL.FindILsb", (word,), word.type)
    zero = _is_zero(rw, word)
    return sb.Spirv(rw).select(zero, width, lowest)


def _is_zero(rw: Rewriter, word: SSAValue) -> SSAValue:
    return sb.Spirv(rw).compare("eq", word, 0)


def _either(rw: Rewriter, word: SSAValue, count: SSAValue, other: SSAValue) -> SSAValue:
    """The count in a word; where the word is zero, 32 and that in the other one."""
    beyond = sb.Spirv(rw).add(other, 32)
    return sb.Spirv(rw).select(_is_zero(rw, word), beyond, count)
