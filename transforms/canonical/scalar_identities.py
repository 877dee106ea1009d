"""Identities of the scalar instructions, for `canonicalize`: each holds to the bit, in every type that it names.

NaNs count as equal, as everywhere in the ISA. A function says which values or operations an instruction's result can be
taken from, or gives None; its docstring is the law.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.traits import ConstantLike

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.support.registry import Registry

Found: TypeAlias = "SSAValue | Operation | Sequence[Operation] | None"
"""A value, or operations of which the last one gives it."""
Identity: TypeAlias = Callable[[Any], Found]


_LEAST_NORMAL = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}


def number_of(value: SSAValue, dtype: DType) -> int | float | None:
    """A constant's number, an integer's as its type reads it."""
    attr = ConstantLike.get_constant_value(value)
    if isinstance(attr, FloatAttr):
        return attr.value.data
    if not isinstance(attr, IntegerAttr):
        return None
    bits = attr.value.data & ((1 << dtype.bits) - 1)
    return bits - (1 << dtype.bits) if dtype.kind == "signed" and bits >> (dtype.bits - 1) else bits


def _ones(dtype: DType) -> int:
    return -1 if dtype.kind == "signed" else (1 << dtype.bits) - 1


def _constant(value: Any, dtype: DType) -> Operation:
    return scalar.MovImmOp.of(value, dtype)


def _by(value: SSAValue, kind: type[Operation]) -> Any:
    """The operation of a kind that gives a value."""
    return value.op if isinstance(value, OpResult) and isinstance(value.op, kind) else None


def _is(number: int | float | None, wanted: float) -> bool:
    """Return whether a constant is `wanted`, zeros with their sign."""
    return number is not None and number == wanted and math.copysign(1, number) == math.copysign(1, wanted)


def neutral_right(op: Any) -> Found:
    """x + 0 = x - 0 = x | 0 = x ^ 0 = x * 1 = x / 1 = x & ~0 = x; of floats x + -0 = x - +0 = x"""
    dtype = op.dtype
    number = number_of(op.b, dtype)
    if number is None:
        return None
    if dtype.is_float:
        neutral = {scalar.AddOp: -0.0, scalar.SubOp: 0.0, scalar.MulOp: 1.0, scalar.DivOp: 1.0}[op.__class__]
        return op.a if _is(number, neutral) else None
    ones = {scalar.MulOp: 1, scalar.DivOp: 1, scalar.AndOp: _ones(dtype)}
    return op.a if number == ones.get(op.__class__, 0) else None


def no_shift(op: Any) -> Found:
    """x << 0 = x >> 0 = x, and amounts count modulo the width"""
    amount = number_of(op.amount, DTYPES["u32"])
    return op.a if amount is not None and int(amount) % op.dtype.bits == 0 else None


def absorbed(op: Any) -> Found:
    """x * 0 = x & 0 = 0 and x | ~0 = ~0 for integers"""
    wanted = _ones(op.dtype) if isinstance(op, scalar.OrOp) else 0
    return op.b if not op.dtype.is_float and number_of(op.b, op.dtype) == wanted else None


def remainder_of_one(op: Any) -> Found:
    """x % 1 = 0 for integers"""
    whole = not op.dtype.is_float and number_of(op.b, op.dtype) == 1
    return _constant(0, op.dtype) if whole else None


def with_itself(op: Any) -> Found:
    """x & x = x | x = min(x, x) = max(x, x) = x"""
    return op.a if op.a is op.b else None


def cancelled(op: Any) -> Found:
    """x - x = x ^ x = 0 for integers"""
    return _constant(0, op.dtype) if op.a is op.b and not op.dtype.is_float else None


def constant_right(op: Any) -> Found:
    """c + x = x + c for all that commute"""
    constant = [ConstantLike.get_constant_value(v) is not None for v in (op.a, op.b)]
    return op.__class__(op.dtype, op.b, op.a) if constant == [True, False] else None


def joined_constants(op: Any) -> Found:
    """(x + a) + b = x + (a + b) for integers, and so for * & | ^"""
    inner = _by(op.a, op.__class__)
    if inner is None or op.dtype.is_float or inner.dtype.bits != op.dtype.bits:
        return None
    a, b = number_of(inner.b, op.dtype), number_of(op.b, op.dtype)
    if a is None or b is None:
        return None
    join = {scalar.AddOp: a + b, scalar.MulOp: a * b}
    joined = join[op.__class__] if op.__class__ in join else _bitwise(op, int(a), int(b))
    constant = _constant(joined, op.dtype)
    return [constant, op.__class__(op.dtype, inner.a, constant.results[0])]


def _bitwise(op: Any, a: int, b: int) -> int:
    return a & b if isinstance(op, scalar.AndOp) else a | b if isinstance(op, scalar.OrOp) else a ^ b


def done_twice(op: Any) -> Found:
    """-(-x) = ~~x = x"""
    inner = _by(op.a, op.__class__)
    return inner.a if inner is not None and inner.dtype.bits == op.dtype.bits else None


def idempotent(op: Any) -> Found:
    """f(f(x)) = f(x) for abs, relu and the roundings"""
    inner = _by(op.a, op.__class__)
    return op.a if inner is not None and inner.dtype == op.dtype else None


def sign_dropped(op: Any) -> Found:
    """|x| = x for unsigned x; |-x| = |x| otherwise"""
    if op.dtype.kind == "unsigned":
        return op.a
    inner = _by(op.a, scalar.NegOp)
    return scalar.AbsOp(op.dtype, inner.a) if inner is not None else None


def negated_right(op: Any) -> Found:
    """x + -y = x - y and x - -y = x + y"""
    inner = _by(op.b, scalar.NegOp)
    other = scalar.SubOp if isinstance(op, scalar.AddOp) else scalar.AddOp
    return other(op.dtype, op.a, inner.a) if inner is not None else None


def by_a_power_of_two(op: Any) -> Found:
    """x / 2^k = x * 2^-k for floats, where 2^-k is no subnormal: both are the same number, rounded once"""
    number = number_of(op.b, op.dtype) if op.dtype.is_float else None
    if number is None or not math.isfinite(number) or abs(math.frexp(number)[0]) != 0.5 or number == 1:
        return None
    least = _LEAST_NORMAL[op.dtype.name]
    if not least <= abs(number) <= 1 / least:
        return None
    constant = _constant(1 / number, op.dtype)
    return [constant, scalar.MulOp(op.dtype, op.a, constant.results[0])]


def product_alone(op: Any) -> Found:
    """fma(a, b, -0) = a * b and fma(a, 1, c) = a + c; of integers with any zero"""
    b, c = number_of(op.b, op.dtype), number_of(op.c, op.dtype)
    if _is(c, -0.0) or (c == 0 and not op.dtype.is_float):
        return scalar.MulOp(op.dtype, op.a, op.b)
    return scalar.AddOp(op.dtype, op.a, op.c) if b == 1 else None


def chosen(op: Any) -> Found:
    """sel p, x, x = x; sel true, x, y = x; sel !p, x, y = sel p, y, x"""
    if op.a is op.b:
        return op.a
    known = number_of(op.p, DTYPES["bool"])
    if known is not None:
        return op.a if known else op.b
    inner = _by(op.p, scalar.NotOp)
    return scalar.SelOp(op.dtype, inner.a, op.b, op.a) if inner is not None else None


_OPPOSITE = {"eq": "ne", "ne": "eq"}
_OPPOSITE_OF_INTEGERS = {
    **_OPPOSITE,
    **{f"{a}{u}": f"{b}{u}" for a, b in (("lt", "ge"), ("ge", "lt"), ("gt", "le"), ("le", "gt")) for u in ("", "u")},
}


def opposite_condition(op: Any) -> Found:
    """!(a < b) = a >= b for integers; of floats only == and != are each other's opposite"""
    inner = _by(op.a, scalar.SetccOp)
    if inner is None:
        return None
    table = _OPPOSITE if inner.dtype.is_float else _OPPOSITE_OF_INTEGERS
    condition = table.get(inner.condition.data.value)
    return None if condition is None else scalar.SetccOp(condition, inner.dtype, inner.a, inner.b)


def compared_with_itself(op: Any) -> Found:
    """x == x, x <= x, x >= x are true and the others false, for integers"""
    if op.a is not op.b or op.dtype.is_float:
        return None
    return _constant(op.condition.data.value.rstrip("u") in ("eq", "le", "ge"), DTYPES["bool"])


def same_type(op: Any) -> Found:
    """A conversion of integers that only reads the sign anew, and one to the type itself, changes nothing"""
    source, target = op.source_type.dtype, op.type.dtype
    integers = source.is_integer and target.is_integer and source.bits == target.bits
    return op.a if source == target or integers else None


def widened_at_once(op: Any) -> Found:
    """cvt(cvt(x)) = cvt(x) where the inner one widens an integer and keeps its number"""
    inner = _by(op.a, scalar.CvtOp)
    if inner is None:
        return None
    first, between = inner.source_type.dtype, inner.type.dtype
    if not (first.is_integer and between.is_integer and between.bits > first.bits and op.source_type.dtype.is_integer):
        return None
    if first.kind == "signed" and op.source_type.dtype.kind != "signed":
        return None
    return scalar.CvtOp(first, op.type.dtype, inner.a)


_COMMUTATIVE = (scalar.AddOp, scalar.MulOp, scalar.AndOp, scalar.OrOp, scalar.XorOp)
_EXTREMES = (scalar.MinOp, scalar.MaxOp, scalar.MinNanOp, scalar.MaxNanOp)
_ROUNDINGS = (scalar.FloorOp, scalar.CeilOp, scalar.RoundOp, scalar.TruncOp)

_LAWS: tuple[tuple[Identity, tuple[Any, ...]], ...] = (
    (constant_right, (*_COMMUTATIVE, *_EXTREMES)),
    (neutral_right, (*_COMMUTATIVE, scalar.SubOp, scalar.DivOp)),
    (absorbed, (scalar.MulOp, scalar.AndOp, scalar.OrOp)),
    (with_itself, (scalar.AndOp, scalar.OrOp, *_EXTREMES)),
    (cancelled, (scalar.SubOp, scalar.XorOp)),
    (joined_constants, _COMMUTATIVE),
    (negated_right, (scalar.AddOp, scalar.SubOp)),
    (by_a_power_of_two, (scalar.DivOp,)),
    (remainder_of_one, (scalar.RemOp,)),
    (no_shift, (scalar.ShlOp, scalar.ShrOp)),
    (done_twice, (scalar.NegOp, scalar.NotOp)),
    (opposite_condition, (scalar.NotOp,)),
    (idempotent, (scalar.AbsOp, scalar.ReluOp, *_ROUNDINGS)),
    (sign_dropped, (scalar.AbsOp,)),
    (product_alone, (scalar.FmaOp,)),
    (chosen, (scalar.SelOp,)),
    (compared_with_itself, (scalar.SetccOp,)),
    (same_type, (scalar.CvtOp,)),
    (widened_at_once, (scalar.CvtOp,)),
)


def _pattern(identity: Identity) -> Callable[[Any, PatternRewriter], None]:
    def apply(op: ScalarOp, rewriter: PatternRewriter) -> None:
        simplified = identity(op)
        if isinstance(simplified, SSAValue):
            rewriter.replace(op, [], [simplified])
        elif simplified is not None:
            rewriter.replace(op, simplified)

    apply.__name__ = identity.__name__
    apply.__doc__ = identity.__doc__
    return apply


IDENTITIES = Registry[tuple[Callable[[Any, PatternRewriter], None], ...]]()
"""The patterns by operation."""
for _law, _kinds in _LAWS:
    _apply = _pattern(_law)
    IDENTITIES.update({kind: (*IDENTITIES.table.get(kind, ()), _apply) for kind in _kinds})
