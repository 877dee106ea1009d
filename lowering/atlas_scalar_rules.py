"""Scalar atlas instructions as arith operations with the ISA's meaning, guards where upstream is looser."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float16Type, IntegerAttr, i8
from xdsl.ir import SSAValue

from hologram.dialects.arith import RemFOp, constant_of
from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.checks import AssertOp
from hologram.dialects.atlas.instruction import CONTRACT
from hologram.dialects.atlas.types import DType
from hologram.lowering.atlas_state import AtlasRewriter, constant_integer, scalar_rule
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.core_builder import Core, f32, f64, i1, i64
from hologram.lowering.float8 import is_float8

RULES = Rules()

# Operations of arith with just the instruction's meaning: (integers, floats).
_SAME: dict[Any, tuple[Any, Any]] = {
    scalar.AddOp: (arith.AddiOp, arith.AddfOp),
    scalar.SubOp: (arith.SubiOp, arith.SubfOp),
    scalar.MulOp: (arith.MuliOp, arith.MulfOp),
    scalar.AndOp: (arith.AndIOp, None),
    scalar.OrOp: (arith.OrIOp, None),
    scalar.XorOp: (arith.XOrIOp, None),
}


@scalar_rule(RULES, *_SAME)
def same(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """One operation of arith."""
    return core(_SAME[type(op)][t.is_float](*args))


@RULES.on(scalar.MovImmOp)
def mov_imm(rw: Rewriter, op: scalar.MovImmOp) -> None:
    """A constant; a float of 8 bits by its pattern."""
    value: Any = op.value
    if is_float8(op.result.type):
        value = IntegerAttr(value.type.pack((value.value.data,))[0], i8, truncate_bits=True)
    rw.replace(op, arith.ConstantOp(value))


# Division


def may_trap(op: Any) -> bool:
    """Whether it is a check, or an integer division or remainder by what is not known to differ from zero."""
    return (
        isinstance(op, AssertOp)
        or isinstance(op, scalar.DivOp | scalar.RemOp)
        and op.dtype.is_integer
        and not constant_integer(op.b)
    )


def _divisor(rw: AtlasRewriter, core: Core, op: Any, t: DType, a: SSAValue, b: SSAValue) -> SSAValue:
    """The divisor after the guard against zero, 1 in place of -1, which least / -1 must not reach."""
    known = constant_integer(op.b)
    if not known:
        zero = core.compare("eq", b, core.constant(0, b.type))
        text = f"{op.name} {t.name}: integer division by zero"
        # The divisor is 0, which one word of the trap record holds: the others are for the dividend.
        rw.trap_if(op, zero, text, lambda: [a, core.constant(0, i64)], signed=not t.is_unsigned)
    if t.is_unsigned or known not in (None, 0, -1):
        return b
    return core.select(_is_minus_one(core, b), core.constant(1, b.type), b)


def _is_minus_one(core: Core, b: SSAValue) -> SSAValue:
    return core.compare("eq", b, core.constant(-1, b.type))


@scalar_rule(RULES, scalar.DivOp)
def div(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Integers trap on zero; least / -1 wraps."""
    a, b = args
    if t.is_float:
        return core(arith.DivfOp(a, b))
    divisor = _divisor(rw, core, op, t, a, b)
    if t.is_unsigned:
        return core(arith.DivUIOp(a, divisor))
    quotient = core(arith.DivSIOp(a, divisor))
    return quotient if divisor is b else core.select(_is_minus_one(core, b), core.negate(a), quotient)


@scalar_rule(RULES, scalar.RemOp)
def rem(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Integers trap on zero; anything % -1 is 0, as % 1. Floats of 16 bits go through f32, where fmod is exact."""
    a, b = args
    if t.is_float:
        wide = [_in_f32(core, t, v) for v in args]
        return core.narrow(core(RemFOp(wide[0], wide[1])), a.type)
    divisor = _divisor(rw, core, op, t, a, b)
    return core((arith.RemUIOp if t.is_unsigned else arith.RemSIOp)(a, divisor))


def _in_f32(core: Core, t: DType, value: SSAValue) -> SSAValue:
    return core.widen(value, f32) if t.bits < 32 else value


@RULES.on(AssertOp)
def check(rw: Rewriter, op: AssertOp) -> None:
    """A trap where the condition does not hold."""
    assert isinstance(rw, AtlasRewriter)
    core = Core(rw)
    bad = core(arith.XOrIOp(rw.value(op.condition), core.constant(1, i1)))
    lane = None if op.lane is None else rw.value(op.lane)
    rw.trap_if(op, bad, op.message.data, lambda: [rw.value(v) for v in op.values], lane=lane)


# Multiply and add


@scalar_rule(RULES, scalar.MadOp)
def mad(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Two roundings; one where it may, and the target has an instruction for it."""
    if CONTRACT in op.attributes and t.is_float and t.bits >= 32 and rw.contract:
        return _fma(core, t, *args)
    multiply, add = (arith.MulfOp, arith.AddfOp) if t.is_float else (arith.MuliOp, arith.AddiOp)
    return core(add(core(multiply(args[0], args[1])), args[2]))


@scalar_rule(RULES, scalar.FmaOp)
def fma(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """One rounding."""
    return _fma(core, t, *args)


@scalar_rule(RULES, scalar.FmsOp)
def fms(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """a * b - c."""
    return _fma(core, t, args[0], args[1], core.negate(args[2]))


@scalar_rule(RULES, scalar.LerpOp)
def lerp(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """fma(t, b, fma(-t, a, a))."""
    a, b, weight = args
    return _fma(core, t, weight, b, _fma(core, t, core.negate(weight), a, a))


def _fma(core: Core, t: DType, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
    if not t.is_float:
        return core(arith.AddiOp(core(arith.MuliOp(a, b)), c))
    if t.bits >= 32:
        return core(math.FmaOp(a, b, c))
    # The product of 16-bit floats is exact in f64, so its sum with c is the only rounding before the last.
    wide = [core.widen(v, f64) for v in (a, b, c)]
    product = core(arith.MulfOp(wide[0], wide[1]))
    half = isinstance(a.type, Float16Type)
    # f16 needs no rounding to odd: a sum that is inexact in f64 has terms so far apart that the greater is no tie in
    # f16, or overflows there.
    return core.narrow(core(arith.AddfOp(product, wide[2])) if half else core.odd_sum(product, wide[2]), a.type)


# Minimum and maximum

_EXTREMES: dict[Any, tuple[Any, Any, Any]] = {
    # instruction: (signed, unsigned, float with NaN winning)
    scalar.MinOp: (arith.MinSIOp, arith.MinUIOp, arith.MinimumfOp),
    scalar.MaxOp: (arith.MaxSIOp, arith.MaxUIOp, arith.MaximumfOp),
    scalar.MinNanOp: (arith.MinSIOp, arith.MinUIOp, arith.MinimumfOp),
    scalar.MaxNanOp: (arith.MaxSIOp, arith.MaxUIOp, arith.MaximumfOp),
}


@scalar_rule(RULES, *_EXTREMES)
def extreme(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """minimumNumber and maximumNumber are minimum and maximum, but for NaN."""
    return _extreme(core, type(op), t, *args)


def _extreme(core: Core, kind: Any, t: DType, a: SSAValue, b: SSAValue) -> SSAValue:
    signed, unsigned, floating = _EXTREMES[kind]
    if not t.is_float:
        return core((unsigned if t.is_unsigned else signed)(a, b))
    found = core(floating(a, b))
    if kind in (scalar.MinNanOp, scalar.MaxNanOp):
        return found
    return core.select(core.is_nan(a), b, core.select(core.is_nan(b), a, found))


def extreme_of(core: Core, name: str, t: DType, a: SSAValue, b: SSAValue) -> SSAValue:
    """`min` or `max` of two values."""
    return _extreme(core, scalar.INSTRUCTIONS[name], t, a, b)


@scalar_rule(RULES, scalar.ClampOp)
def clamp(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """min(max(x, lo), hi)."""
    return _extreme(core, scalar.MinOp, t, _extreme(core, scalar.MaxOp, t, args[0], args[1]), args[2])


# Sign


def _below_zero(core: Core, t: DType, a: SSAValue) -> SSAValue:
    return core.compare("olt" if t.is_float else "slt", a, core.constant(0, a.type))


@scalar_rule(RULES, scalar.AbsOp)
def absolute(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """|a|; the least integer wraps."""
    (a,) = args
    if t.is_float:
        return core(math.AbsFOp(a))
    return a if t.is_unsigned else core.select(_below_zero(core, t, a), core.negate(a), a)


@scalar_rule(RULES, scalar.NegOp)
def neg(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """-a."""
    return core.negate(args[0])


@scalar_rule(RULES, scalar.SignOp)
def sign(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """-1, 0, 1; what is neither above nor below zero stays."""
    (a,) = args
    zero, one = core.constant(0, a.type), core.constant(1, a.type)
    above = core.compare("ogt" if t.is_float else "ugt" if t.is_unsigned else "sgt", a, zero)
    rest = a if t.is_unsigned else core.select(_below_zero(core, t, a), core.constant(-1, a.type), a)
    return core.select(above, one, rest)


@scalar_rule(RULES, scalar.ReluOp)
def relu(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """+0 below zero."""
    (a,) = args
    return a if t.is_unsigned else core.select(_below_zero(core, t, a), core.constant(0, a.type), a)


# Logic


@scalar_rule(RULES, scalar.NotOp)
def complement(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Exclusive or with all ones."""
    return core(arith.XOrIOp(args[0], core.constant(-1, args[0].type)))


@scalar_rule(RULES, scalar.ShlOp, scalar.ShrOp)
def shift(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """The amount counts modulo the width."""
    a, amount = args
    number = constant_of(amount)
    if number is not None:
        masked = core.constant(number & (t.bits - 1), a.type)
    else:
        masked = core.resize(core.both(amount, core.constant(t.bits - 1, amount.type)), a.type, signed=False)
    if isinstance(op, scalar.ShlOp):
        return core(arith.ShLIOp(a, masked))
    return core((arith.ShRUIOp if t.is_unsigned else arith.ShRSIOp)(a, masked))


@RULES.on(scalar.MovOp)
def mov(rw: Rewriter, op: Any) -> None:
    """The value itself."""
    rw.define(op.result, rw.value(op.a))


@scalar_rule(RULES, scalar.SelOp)
def select(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """a where p holds."""
    return core.select(*args)


@RULES.on(scalar.SetccOp)
def setcc(rw: Rewriter, op: scalar.SetccOp) -> None:
    """Floats ordered, but `ne` true on NaN."""
    core = Core(rw)
    condition, t = op.condition.data.value, op.dtype
    if t.is_float:
        predicate = "une" if condition == "ne" else f"o{condition}"
    elif condition in ("eq", "ne"):
        predicate = condition
    else:
        unsigned = t.is_unsigned or condition.endswith("u")
        predicate = ("u" if unsigned else "s") + condition[:2]
    rw.define(op.result, core.compare(predicate, rw.value(op.a), rw.value(op.b)))


# Roundings and roots

_UNARY_MATH: dict[Any, Any] = {
    scalar.FloorOp: math.FloorOp,
    scalar.CeilOp: math.CeilOp,
    scalar.RoundOp: math.RoundEvenOp,
    scalar.TruncOp: math.TruncOp,
    scalar.SqrtOp: math.SqrtOp,
}


@scalar_rule(RULES, *_UNARY_MATH)
def unary(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """One operation of math; 16-bit floats in f32, whose digits are more than twice as many, so sqrt rounds right."""
    (a,) = args
    return core.narrow(core(_UNARY_MATH[type(op)](_in_f32(core, t, a))), a.type)


@scalar_rule(RULES, scalar.RcpOp)
def rcp(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """1 / a."""
    return core(arith.DivfOp(core.constant(1.0, args[0].type), args[0]))


__all__ = ["RULES", "extreme_of", "may_trap"]
