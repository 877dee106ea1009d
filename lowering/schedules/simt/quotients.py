"""Quotients of deviations by the standard deviation, correctly rounded without a division each.

With r = 1 / d rounded, q = x * r and twice q = q + (x - q * d) * r, in fused steps, gives x / d as it is rounded where
nothing overflows or loses digits near 0 (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000
processor", IBM J. Res. Dev. 34 (1990): the last step is right if q is within a unit in the last place of x / d).
Divisors beyond the bounds, and numbers that are too small or zero, are divided. No number is too large: n of them have
squares that add up to n times the divisor's, and sums of squares are not rounded below any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.types import DType
from hologram.lowering.schedules.builder import Builder

DIVISORS = 1e-10, 1e10
"""Of f32: where the reciprocal, and products with it, keep their digits."""
NUMBERS = 1e-20
"""Of f32: above it what is left of them after a step keeps its digits; up to 1e20 nothing overflows."""


class Quotients:
    """Quotients by one divisor, of f32: of numbers that are at most 1e10 times as large."""

    def __init__(self, b: Builder, dtype: DType, divisor: SSAValue):
        self.b, self.dtype, self.divisor = b, dtype, divisor
        self.reciprocal = b.op(scalar.DivOp(dtype, b.constant(1.0, dtype), divisor))
        low, high = DIVISORS
        self.usual = b.both(self._compared(divisor, "ogt", low), self._compared(divisor, "olt", high))

    def _compared(self, value: SSAValue, predicate: str, bound: float) -> SSAValue:
        return self.b.op(arith.CmpfOp(value, self.b.constant(bound, self.dtype), predicate))

    def of(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """All of them."""
        b = self.b
        sizes = [b.op(scalar.AbsOp(self.dtype, x)) for x in values]
        least = sizes[0]
        for size in sizes[1:]:  # NaN is passed over: it comes out of the products too.
            least = b.op(arith.MinnumfOp(least, size))
        usual = b.both(self.usual, self._compared(least, "ogt", NUMBERS))
        return b.chosen(
            usual,
            lambda: [self._product(x) for x in values],
            lambda: [b.op(scalar.DivOp(self.dtype, x, self.divisor)) for x in values],
        )

    def _product(self, x: SSAValue) -> SSAValue:
        b, dtype, r = self.b, self.dtype, self.reciprocal
        quotient = b.op(scalar.MulOp(dtype, x, r))
        for _ in range(2):
            rest = b.op(scalar.FmaOp(dtype, b.op(scalar.NegOp(dtype, quotient)), self.divisor, x))
            quotient = b.op(scalar.FmaOp(dtype, rest, r, quotient))
        return quotient
