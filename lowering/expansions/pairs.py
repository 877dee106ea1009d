"""Unevaluated sums of two floats: about twice the digits, from rounding errors that are caught exactly.

The functions here promise the same in the fused and in the fma-free form. Sources: T. J. Dekker, "A floating-point
technique for extending the available precision", Numer. Math. 18 (1971); D. E. Knuth, The Art of Computer Programming,
volume 2, 4.2.2, theorem B.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.expansions.expression import Expression


@dataclass(frozen=True)
class Pair:
    """high + low, where low is at most half a unit in the last place of high after `fast_two_sum` or `two_sum`."""

    high: Expression
    low: Expression

    def sum(self) -> Expression:
        """The pair rounded to one float."""
        return self.high + self.low


def two_sum(a: Expression, b: Expression) -> Pair:
    """a + b exactly, in six operations (Knuth)."""
    high = a + b
    from_b = high - a
    from_a = high - from_b
    return Pair(high, (a - from_a) + (b - from_b))


def fast_two_sum(a: Expression, b: Expression) -> Pair:
    """a + b exactly where a is 0 or its exponent is not below that of b, in three operations (Dekker)."""
    high = a + b
    return Pair(high, b - (high - a))


def two_product(a: Expression, b: Expression) -> Pair:
    """a * b exactly: where it neither overflows nor loses its last digits to underflow.

    Without fma, in f64, the very last of the 106 bits is rounded.
    """
    high = a * b
    if a.fused:
        return Pair(high, a.fma(b, -high))
    x, y = split(a), split(b)
    low = x.high * y.high - high
    low = low + x.high * y.low
    low = low + x.low * y.high
    return Pair(high, low + x.low * y.low)


def split(a: Expression) -> Pair:
    """a as its upper bits, cut off, and the rest. Products of parts are exact."""
    # Masking the bits, unlike Veltkamp's products, does not overflow.
    dropped = (a.format.mantissa + 2) // 2
    high = a.to_bits().bit_and(-1 << dropped).from_bits()
    return Pair(high, a - high)


def pair_product(a: Pair, b: Pair) -> Pair:
    """a * b to about twice the digits of the format, less some bits. The lower part may be some last places large."""
    product = two_product(a.high, b.high)
    return Pair(product.high, a.low.fma(b.high, a.high.fma(b.low, product.low)))


def pair_scaled(a: Pair, b: Expression) -> Pair:
    """a * b for one float b."""
    product = two_product(a.high, b)
    return fast_two_sum(product.high, a.low.fma(b, product.low))
