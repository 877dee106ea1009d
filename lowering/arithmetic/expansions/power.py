"""Powers: 2**(y * log2 |x|), with the logarithm and the product to about twice the digits of the format.

An error of the exponent counts up to 2**7 (f32) or 2**10 (f64) times, which is why a single float does not do.
`test/math_expansions/minimax.py` makes the polynomials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hologram.lowering.arithmetic.expansions.exponential import exp2_of_pair
from hologram.lowering.arithmetic.expansions.expression import (
    F32,
    F64,
    Expression,
    Format,
    Pair,
    fast_two_sum,
    minus_product,
    pair_product,
    pair_scaled,
    two_product,
)
from hologram.lowering.arithmetic.expansions.logarithm import split_exponent
from hologram.lowering.arithmetic.expansions.tables import floats


@dataclass(frozen=True)
class Constants:
    """log2((1 + s) / (1 - s)) = s * (c0 + c1 * t + t**2 * p(t)), with t = s**2."""

    least: int
    """The bits of the root of 1/2, where the significand that s is made from begins."""
    c0: tuple[float, float]
    """2 / ln 2, rounded and what that left."""
    c1: tuple[float, float]
    """2 / (3 ln 2) alike."""
    p: tuple[float, ...]
    greatest: float
    """A power of x that is 0 or infinite, or 1 for 1, whatever else x is."""


# The polynomials minimise |t**2 * (p(t) - exact)|: 2**-34.4 and 2**-64.7.
CONSTANTS: dict[Format, Constants] = {
    F32: Constants(
        least=0x3F3504F3,
        c0=(float.fromhex("0x1.715476p+1"), float.fromhex("0x1.4ae0cp-25")),
        c1=(float.fromhex("0x1.ec709ep-1"), float.fromhex("-0x1.e2fe02p-28")),
        p=(float.fromhex("0x1.27770ep-1"), float.fromhex("0x1.a5bc9p-2"), float.fromhex("0x1.59e1b4p-2")),
        greatest=2.0**34,
    ),
    F64: Constants(
        least=0x3FE6A09E667F3BCD,
        c0=(float.fromhex("0x1.71547652b82fep+1"), float.fromhex("0x1.777d0ffda0d24p-55")),
        c1=(float.fromhex("0x1.ec709dc3a03fdp-1"), float.fromhex("0x1.d27f05548af0cp-55")),
        p=floats(
            "0x1.2776c50ef9bfcp-1 0x1.a61762a7aef3cp-2 0x1.484b13d69bf3bp-2 0x1.0c9a8541d1c9cp-2 "
            "0x1.c68ee635ee3c5p-3 0x1.8a0a22eda8d59p-3 0x1.58f5375a771fcp-3 0x1.6229e03051e82p-3"
        ),
        greatest=2.0**66,
    ),
}


def power(x: Expression, y: Expression) -> Expression:
    """x**y, with the special values of C99, annex F.

    1 where y is 0 or x is 1, even beside NaN; NaN where x is below 0 and y finite and no integer; the sign of x where y
    is an odd integer; 0 or infinity at x = 0 and x = inf; 1 at x = -1 and infinite y.
    """
    size = abs(x)
    greatest = CONSTANTS[x.format].greatest
    result = exp2_of_pair(pair_scaled(_log2(size), y.clamp(-greatest, greatest)))
    whole = y.floor()
    undefined = x.lt(0.0).both(y.ne(whole)).either(x.is_nan())
    result = undefined.select(math.nan, result)
    zero = size.eq(0.0)
    ends = zero.either(size.eq(math.inf))
    # NaN is unequal to its floor, so y is a number where the result may be 0 or infinite.
    end = zero.xor(y.lt(0.0)).select(0.0, math.inf)
    result = ends.both(y.eq(y)).select(end, result)
    half = y * 0.5
    odd = y.eq(whole).both(half.ne(half.floor()))
    result = odd.select(result.copysign(x), result)
    return x.eq(1.0).either(y.eq(0.0)).select(1.0, result)


# Lower parts are left as they come: a last place too large does no harm to what follows.


def _log2(x: Expression) -> Pair:
    """log2(x) for finite x above 0, with an error of about 2**-33 of it in f32 and 2**-64 in f64."""
    c = CONSTANTS[x.format]
    m, k = split_exponent(x, c.least)
    f = m - 1.0
    s = _quotient(f, fast_two_sum(f.number(2.0), f))
    square = two_product(s.high, s.high)
    t = Pair(square.high, (s.high + s.high).fma(s.low, square.low))
    # t * (c1 + t * p(t)), where all but t * c1 is small.
    main = two_product(t.high, t.high.number(c.c1[0]))
    small = t.high.horner((c.c1[1], *c.p))
    inner = Pair(main.high, t.low.fma(c.c1[0], t.high.fma(small, main.low)))
    whole = fast_two_sum(t.high.number(c.c0[0]), inner.high)
    outer = pair_product(s, Pair(whole.high, whole.low + (inner.low + c.c0[1])))
    total = fast_two_sum(k, outer.high)
    return Pair(total.high, total.low + outer.low)


def _quotient(a: Expression, b: Pair) -> Pair:
    """a / b to about twice the digits."""
    inverse = 1.0 / b.high
    high = a * inverse
    rest = minus_product(a, high, b.high)
    return Pair(high, (-high).fma(b.low, rest) * inverse)
