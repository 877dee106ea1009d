"""Scalar atlas instructions as arith operations with the ISA's meaning, guards where upstream is looser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, cf, math
from xdsl.dialects.builtin import Float16Type, IntegerAttr, i8
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.arith import RemFOp, constant_of
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.declaration import Composer, Instruction
from hologram.dialects.atlas.instructions.instruction import CONTRACT
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.verbs import read_as
from hologram.lowering.arithmetic.float8 import is_float8
from hologram.lowering.lanes.state import EMITTED, AtlasRewriter, constant_integer, scalar_rule
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core, f32, f64, i1, i64
from hologram.lowering.rewriting.traps import is_recorded

RULES = Rules()


@scalar_rule(RULES, scalar.AddOp, scalar.SubOp, scalar.MulOp, scalar.AndOp, scalar.OrOp, scalar.XorOp)
def same(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """One operation of arith, with just the instruction's meaning."""
    return core.binary(op.INSTRUCTION.name, *args)


_FORMULAS: dict[Any, Callable[[Core, SSAValue], SSAValue]] = {
    scalar.NegOp: Core.negate,
    scalar.NotOp: lambda core, a: core.xor(a, -1),
    scalar.RcpOp: lambda core, a: core.div(1.0, a),
}


@scalar_rule(RULES, *_FORMULAS)
def formula(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Emit the one verb that it is of its operand."""
    return _FORMULAS[type(op)](core, args[0])


@RULES.on(scalar.MovImmOp)
def mov_imm(rw: AtlasRewriter, op: scalar.MovImmOp) -> None:
    """A constant; a float of 8 bits by its pattern."""
    value: Any = op.value
    if is_float8(op.result.type):
        value = IntegerAttr(value.type.pack((value.value.data,))[0], i8, truncate_bits=True)
    rw.replace(op, arith.ConstantOp(value))


# Division


def may_trap(op: Any) -> bool:
    """Return whether it is a check, or an integer division or remainder by what is not known to differ from zero."""
    if isinstance(op, cf.AssertOp):
        return not is_recorded(op)
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
        zero = core.compare("eq", b, 0)
        text = f"{op.name} {t.name}: integer division by zero"
        # The divisor is 0, which one word of the trap record holds: the others are for the dividend.
        rw.trap_if(op, zero, text, lambda: [a, core.constant(0, i64)], signed=not t.is_unsigned)
    if t.is_unsigned or known not in (None, 0, -1):
        return b
    return core.select(_is_minus_one(core, b), 1, b)


def _is_minus_one(core: Core, b: SSAValue) -> SSAValue:
    return core.compare("eq", b, -1)


@scalar_rule(RULES, scalar.DivOp)
def div(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Integers trap on zero; least / -1 wraps."""
    a, b = args
    if t.is_float:
        return core.div(a, b)
    divisor = _divisor(rw, core, op, t, a, b)
    if t.is_unsigned:
        return core.div(a, divisor)
    quotient = core.sdiv(a, divisor)
    return quotient if divisor is b else core.select(_is_minus_one(core, b), core.negate(a), quotient)


@scalar_rule(RULES, scalar.RemOp)
def rem(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Integers trap on zero; anything % -1 is 0, as % 1. Floats of 16 bits go through f32, where fmod is exact."""
    a, b = args
    if t.is_float:
        wide = [_in_f32(core, t, v) for v in args]
        return core.narrow(core.op(RemFOp(wide[0], wide[1])), a.type)
    divisor = _divisor(rw, core, op, t, a, b)
    return core.binary(read_as("rem", signed=not t.is_unsigned), a, divisor)


def _in_f32(core: Core, t: DType, value: SSAValue) -> SSAValue:
    return core.widen(value, f32) if t.bits < 32 else value


@RULES.on(AssertOp)
def check(rw: AtlasRewriter, op: AssertOp) -> None:
    """A trap where the condition does not hold."""
    core = Core(rw)
    bad = core.xor(rw.value(op.condition), 1)
    lane = None if op.lane is None else rw.value(op.lane)
    rw.trap_if(op, bad, op.message.data, lambda: [rw.value(v) for v in op.values], lane=lane)


@RULES.on(cf.AssertOp)
def check_of_program(rw: AtlasRewriter, op: cf.AssertOp) -> None:
    """A trap with its message. The checks of our own stages stay, behind the call that fills the record."""
    holds = rw.value(op.arg)
    if is_recorded(op):
        rw.emit(cf.AssertOp(holds, op.msg))
    else:
        rw.trap_if(op, Core(rw).xor(holds, 1), op.msg.data, lambda: [])


# Multiply and add


@scalar_rule(RULES, scalar.MadOp, scalar.FmaOp)
def mad(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Two roundings; one of `fma`, and of `mad` where it may and the target has an instruction for it."""
    contracts = CONTRACT in op.attributes and t.is_float and t.bits >= 32 and rw.contract
    if contracts or isinstance(op, scalar.FmaOp):
        return _fma(core, t, f64 if rw.doubles else f32, *args)
    return core.add(core.mul(args[0], args[1]), args[2])


def _fma(core: Core, t: DType, wider: Attribute, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
    if not t.is_float:
        return core.add(core.mul(a, b), c)
    if t.bits >= 32:
        return core.op(math.FmaOp(a, b, c))
    # The product of 16-bit floats is exact in f64, so its sum with c is the only rounding before the last. In f32 it is
    # exact too, unless the product of two bf16 leaves the range of both types.
    wide = [core.widen(v, wider) for v in (a, b, c)]
    product = core.mul(wide[0], wide[1])
    # f16 needs no rounding to odd in f64: a sum that is inexact there has terms so far apart that the greater is no tie
    # in f16, or overflows there.
    plain = isinstance(a.type, Float16Type) and wider == f64
    return core.narrow(core.add(product, wide[2]) if plain else core.odd_sum(product, wide[2]), a.type)


# Minimum and maximum


@scalar_rule(RULES, scalar.MinOp, scalar.MaxOp, scalar.MinNanOp, scalar.MaxNanOp)
def extreme(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """minimumNumber and maximumNumber are minimum and maximum, but for NaN."""
    return extreme_of(core, op.INSTRUCTION.name, t, *args)


def extreme_of(core: Core, name: str, t: DType, a: SSAValue, b: SSAValue) -> SSAValue:
    """`min` or `max` of two values, or those where NaN wins: `min.nan`, `max.nan`."""
    verb = read_as(name.removesuffix(".nan"), signed=not t.is_float and not t.is_unsigned)
    result = core.binary(verb, a, b)
    if not t.is_float or name.endswith(".nan"):
        return result
    return core.select(core.is_nan(a), b, core.select(core.is_nan(b), a, result))


# Sign


def _below_zero(core: Core, t: DType, a: SSAValue) -> SSAValue:
    return core.compare("olt" if t.is_float else "slt", a, 0)


@scalar_rule(RULES, scalar.AbsOp)
def absolute(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """|a|; the least integer wraps."""
    (a,) = args
    if t.is_float:
        return core.op(math.AbsFOp(a))
    return a if t.is_unsigned else core.select(_below_zero(core, t, a), core.negate(a), a)


@scalar_rule(RULES, scalar.SignOp)
def sign(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """-1, 0, 1; what is neither above nor below zero stays."""
    (a,) = args
    zero, one = core.constant(0, a.type), core.constant(1, a.type)
    above = core.compare("ogt" if t.is_float else "ugt" if t.is_unsigned else "sgt", a, zero)
    rest = a if t.is_unsigned else core.select(_below_zero(core, t, a), -1, a)
    return core.select(above, one, rest)


@scalar_rule(RULES, scalar.ReluOp)
def relu(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """+0 below zero."""
    (a,) = args
    return a if t.is_unsigned else core.select(_below_zero(core, t, a), 0, a)


# Logic


@scalar_rule(RULES, scalar.ShlOp, scalar.ShrOp)
def shift(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """The amount counts modulo the width."""
    a, amount = args
    number = constant_of(amount)
    if number is not None:
        masked = core.constant(number & (t.bits - 1), a.type)
    else:
        masked = core.resize(core.both(amount, t.bits - 1), a.type, signed=False)
    if isinstance(op, scalar.ShlOp):
        return core.shl(a, masked)
    return core.binary(read_as("shr", signed=not t.is_unsigned), a, masked)


@RULES.on(scalar.MovOp)
def mov(rw: AtlasRewriter, op: Any) -> None:
    """The value itself."""
    rw.define(op.result, rw.value(op.a))


@scalar_rule(RULES, scalar.SelOp)
def select(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """a where p holds."""
    return core.select(*args)


@RULES.on(scalar.SetccOp)
def setcc(rw: AtlasRewriter, op: scalar.SetccOp) -> None:
    """Floats ordered, but `ne` true on NaN."""
    rw.define(op.result, _compare(Core(rw), op.condition.data.value, op.dtype, rw.value(op.a), rw.value(op.b)))


def _compare(core: Core, condition: str, t: DType, a: SSAValue, b: SSAValue) -> SSAValue:
    if t.is_float:
        predicate = "une" if condition == "ne" else f"o{condition}"
    elif condition in ("eq", "ne"):
        predicate = condition
    else:
        unsigned = t.is_unsigned or condition.endswith("u")
        predicate = ("u" if unsigned else "s") + condition[:2]
    return core.compare(predicate, a, b)


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
    return core.narrow(core.op(_UNARY_MATH[type(op)](_in_f32(core, t, a))), a.type)


# Compositions


class _Emitter(Composer):
    """Emits the instructions of a composition by their rules."""

    def __init__(self, rw: AtlasRewriter, core: Core, dtype: DType):
        super().__init__(dtype)
        self.rw = rw
        self.core = core

    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> SSAValue:
        # A trap would not find the lane of an operation that stands nowhere.
        assert instruction.traps is None or dtype.is_float
        op = scalar.INSTRUCTIONS[instruction.name](dtype, *operands)
        result = EMITTED[type(op)](self.rw, self.core, op, dtype, list(operands))
        op.drop_all_references()
        return result

    def compare(self, condition: str, a: Any, b: Any) -> SSAValue:
        a, b = (self.number(v) if isinstance(v, int | float) else v for v in (a, b))
        return _compare(self.core, condition, self.dtype, a, b)

    def number(self, value: float) -> SSAValue:
        return self.core.constant(value, self.dtype.ir)

    def is_predicate(self, value: Any) -> bool:
        return value.type == i1


@scalar_rule(RULES, *(op for op in scalar.ROWS if op.INSTRUCTION.compose is not None))
def composition(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """The instructions that it is composed of."""
    return op.INSTRUCTION.composed(_Emitter(rw, core, t), *args)
