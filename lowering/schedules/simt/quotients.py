"""Quotients of many numbers by one, correctly rounded without a division each.

With r = 1 / d rounded, q = x * r and twice q = q + (x - q * d) * r, in fused steps, gives x / d as it is rounded where
nothing overflows or loses digits near 0 (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000
processor", IBM J. Res. Dev. 34 (1990): the last step is right if q is within a unit in the last place of x / d).
Numbers beyond those bounds, zeros and infinities are divided.
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
NUMBERS = 1e-20, 1e20


class Quotients:
    """Quotients by one divisor, of f32."""

    def __init__(self, b: Builder, dtype: DType, divisor: SSAValue):
        self.b, self.dtype, self.divisor = b, dtype, divisor
        self.reciprocal = b.op(scalar.DivOp(dtype, b.constant(1.0, dtype), divisor))
        self.usual = self._within(divisor, divisor, DIVISORS)

    def _within(self, least: SSAValue, greatest: SSAValue, bounds: tuple[float, float]) -> SSAValue:
        b = self.b
        low, high = (b.constant(bound, self.dtype) for bound in bounds)
        return b.both(b.op(arith.CmpfOp(least, low, "ogt")), b.op(arith.CmpfOp(greatest, high, "olt")))

    def of(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """All of them."""
        b = self.b
        sizes = [b.op(scalar.AbsOp(self.dtype, x)) for x in values]
        least = greatest = sizes[0]
        for size in sizes[1:]:  # NaN is passed over: it comes out of the products too.
            least, greatest = b.op(arith.MinnumfOp(least, size)), b.op(arith.MaxnumfOp(greatest, size))
        usual = b.both(self.usual, self._within(least, greatest, NUMBERS))
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
