"""Arrays of numbers and what judges sums of products of them: a tolerance, not bits, is promised for these.

The tolerance is that of a sum in any order, with or without fused multiply-adds (N. Higham, Accuracy and Stability of
Numerical Algorithms, 2nd edition, section 3.1): n products are summed to within n u of the sum of their magnitudes, u
being the unit roundoff of f32, of f64 for f64. The result is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from conformance.exact import NAN, Exactly, Judge, g, rounder
from conformance.values import Array, blank, decode, edges, encode, some
from hologram.dialects.atlas.instructions.types import DTYPES, LARGEST, DType
from interpreter.running import wrap

F32 = DTYPES["f32"]
Number = Any
"""A Python integer or float."""
Pairs = Sequence[tuple[Number, Number]]


def wide(t: DType) -> DType:
    """The type that sums are taken in."""
    return F32 if t.is_float and t.bits < 32 else t


def unit(t: DType) -> Fraction:
    """The greatest relative error of one rounding in the type that sums are taken in."""
    return Fraction(1, 1 << (53 if t.bits == 64 else 24))


def tiny(t: DType) -> Fraction:
    """The least number of the type that sums are taken in: what an underflow loses at most."""
    return Fraction(1, 1 << (1074 if t.bits == 64 else 149))


def draw(t: DType, shape: Sequence[int], seed: str, edge: bool = False) -> Any:
    """An array of Python's numbers; of edge values first if they are asked for."""
    count = math.prod(shape)
    found = some(t, count, seed)
    if edge:
        chosen = edges(t)
        found = [*chosen[:: max(1, len(chosen) // max(1, count // 2))], *found][:count]
    values = np.empty(count, object)
    values[:] = decode(encode(found, t), t)
    return values.reshape(shape)


def stored(values: Any, t: DType) -> Array:
    """An array of Python's numbers as programs take it."""
    flat = encode(list(values.reshape(-1)), t)
    return flat.reshape((*values.shape, *flat.shape[1:]))


def room(shape: Sequence[int], t: DType) -> Array:
    """An array for results."""
    flat = blank(math.prod(shape), t)
    return flat.reshape((*shape, *flat.shape[1:]))


def flat(t: DType) -> Any:
    """Reads the elements of an array, row-major."""

    def read(array: Array) -> list[Any]:
        return decode(array.reshape(-1, t.bits // 64) if t.bits > 64 else array.reshape(-1), t)

    return read


@dataclass(frozen=True)
class Near:
    """Wants what an exact value, give or take a slack, is rounded to; either zero is a zero."""

    type: DType
    value: Fraction
    slack: Fraction

    def __call__(self, found: Any) -> str | None:
        low, high = (_rounded(self.type, v) for v in (self.value - self.slack, self.value + self.slack))
        # f8E4M3FN has no infinity: NaN is what lies past its greatest number.
        past = self.type.name == "f8E4M3FN" and math.isnan(found) and math.isinf(low + high)
        return None if past or low <= found <= high else f"{found}, not {low} to {high}"


def _rounded(t: DType, value: Fraction) -> float:
    """An exact value rounded once to a float type, overflow to infinity."""
    found = rounder(t)(g.mpq(value.numerator, value.denominator))
    return math.copysign(math.inf, found) if abs(found) > LARGEST[t.name] else found


def product(
    t: DType, pairs: Pairs, c: Number | None = None, scales: tuple[Number, Number] = (1, 1), out: DType | None = None
) -> Judge:
    """The judge of alpha * the sum of products + beta * c, of elements of `t`, stored as `out`."""
    alpha, beta = scales
    target = out or t
    if not t.is_float:
        total = int(alpha) * sum(a * b for a, b in pairs) + int(beta) * (c or 0)
        return Exactly(wrap(total, target))
    operands = [v for pair in pairs for v in pair] + ([] if c is None else [c])
    if not all(map(math.isfinite, operands)):
        with np.errstate(all="ignore"):
            terms = [a * b for a, b in pairs]
            found = sum(terms) * alpha + (0.0 if c is None else beta * c)
        # What is infinite is not always so in f8E4M3FN.
        return Exactly(NAN if target.name == "f8E4M3FN" else found)
    terms = [Fraction(a) * Fraction(b) for a, b in pairs]
    total = Fraction(alpha) * sum(terms) + Fraction(beta) * Fraction(c or 0)
    size = abs(Fraction(alpha)) * sum(map(abs, terms)) + abs(Fraction(beta) * Fraction(c or 0))
    return Near(target, total, (len(terms) + 3) * (unit(t) * size + tiny(t)))


def products(t: DType, rows: Iterable[Pairs]) -> list[Judge]:
    """The judge of sums of products."""
    return [product(t, pairs) for pairs in rows]


__all__ = ["Near", "draw", "flat", "product", "products", "room", "stored", "tiny", "unit", "wide"]
