"""The exponential functions.

x is split as n * ln 2 + r with an integer n and |r| at most ln 2 / 2. exp(r) is 1 + r + r * r * q(r), with a minimax
polynomial q; the sum 1 + r is kept with its rounding error, so that the last addition is the only rounding that counts.
The scale 2**n is applied in two steps, so that overflow and subnormal results come out of one correctly rounded
multiplication. Clamping keeps n in range and NaN as it is. There is no branch and no table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hologram.lowering.expansions.expression import F32, F64, Expression, Format
from hologram.lowering.expansions.pairs import Pair, fast_two_sum, two_product, two_sum


@dataclass(frozen=True)
class Constants:
    """What one format needs."""

    low: float
    """exp of it and of everything below rounds to 0."""
    high: float
    """exp of it and of everything above is infinite."""
    low2: float
    high2: float
    """The same for exp2."""
    log2_e: float
    ln2_high: float
    """The first bits of ln 2, so few that n times it is exact."""
    ln2_low: float
    ln2: float
    """ln 2 rounded to the format."""
    ln2_rest: float
    """What the rounding left."""
    q: tuple[float, ...]
    """exp(r) - 1 - r over r**2."""
    q_expm1: tuple[float, ...]
    """The same, with an error in proportion to r."""


# The polynomials q minimise the largest |r * r * (q(r) - (exp(r) - 1 - r) / (r * r))| / exp(r): 2**-28.3 and 2**-56.8.
# Those of expm1 come from `test/math_expansions/minimax.py`: 2**-28.7 and 2**-59.8 of r.
CONSTANTS: dict[Format, Constants] = {
    F32: Constants(
        low=-104.0,
        high=89.0,
        low2=-150.5,
        high2=128.5,
        log2_e=float.fromhex("0x1.715476p+0"),
        ln2_high=float.fromhex("0x1.62e4p-1"),
        ln2_low=float.fromhex("0x1.7f7d1cp-20"),
        ln2=float.fromhex("0x1.62e430p-1"),
        ln2_rest=float.fromhex("-0x1.05c610p-29"),
        q=(
            float.fromhex("0x1.fffffcp-2"),
            float.fromhex("0x1.555492p-3"),
            float.fromhex("0x1.5558f2p-5"),
            float.fromhex("0x1.1239f8p-7"),
            float.fromhex("0x1.6a2410p-10"),
        ),
        q_expm1=(
            float.fromhex("0x1p-1"),
            float.fromhex("0x1.555556p-3"),
            float.fromhex("0x1.5554aap-5"),
            float.fromhex("0x1.11108ap-7"),
            float.fromhex("0x1.6d7984p-10"),
            float.fromhex("0x1.a1a8bap-13"),
        ),
    ),
    F64: Constants(
        low=-746.0,
        high=710.0,
        low2=-1075.5,
        high2=1024.5,
        log2_e=float.fromhex("0x1.71547652b82fep+0"),
        ln2_high=float.fromhex("0x1.62e42fefa3p-1"),
        ln2_low=float.fromhex("0x1.3de6af278ece6p-42"),
        ln2=float.fromhex("0x1.62e42fefa39efp-1"),
        ln2_rest=float.fromhex("0x1.abc9e3b39803fp-56"),
        q=(
            float.fromhex("0x1.0000000000009p-1"),
            float.fromhex("0x1.5555555555558p-3"),
            float.fromhex("0x1.55555555503cbp-5"),
            float.fromhex("0x1.111111110f7fcp-7"),
            float.fromhex("0x1.6c16c18607a71p-10"),
            float.fromhex("0x1.a01a01b00fb4ep-13"),
            float.fromhex("0x1.a01993a33d219p-16"),
            float.fromhex("0x1.71ddf6a9f372ep-19"),
            float.fromhex("0x1.28b420246a762p-22"),
            float.fromhex("0x1.af633daa3418fp-26"),
        ),
        q_expm1=(
            float.fromhex("0x1p-1"),
            float.fromhex("0x1.5555555555559p-3"),
            float.fromhex("0x1.555555555555bp-5"),
            float.fromhex("0x1.111111110f518p-7"),
            float.fromhex("0x1.6c16c16c14279p-10"),
            float.fromhex("0x1.a01a01b0a7da2p-13"),
            float.fromhex("0x1.a01a01b160c4cp-16"),
            float.fromhex("0x1.71ddf6214b67ep-19"),
            float.fromhex("0x1.27e4c41525682p-22"),
            float.fromhex("0x1.af6300f98c4bcp-26"),
            float.fromhex("0x1.1f97ea0bc67cp-29"),
        ),
    ),
}


def exp(x: Expression) -> Expression:
    """e**x. 1 at +0 and -0, +0 at -inf, +inf at +inf, NaN at NaN; subnormal results are not flushed."""
    c = CONSTANTS[x.format]
    x = x.clamp(c.low, c.high)
    n, bits = _nearest_integer(x, x.number(c.log2_e))
    r = n.fma(x.number(-c.ln2_high), x)
    r = n.fma(x.number(-c.ln2_low), r)
    return _scale(_exp_reduced(r, None), bits)


def exp2(x: Expression) -> Expression:
    """2**x, exact where x is an integer. Special values as of exp."""
    c = CONSTANTS[x.format]
    x = x.clamp(c.low2, c.high2)
    n, bits = _nearest_integer(x, x.number(1.0))
    y = x - n
    r = two_product(y, x.number(c.ln2))
    return _scale(_exp_reduced(r.high, y.fma(c.ln2_rest, r.low)), bits)


def exp2_of_pair(x: Pair) -> Expression:
    """2**(x.high + x.low). For pow."""
    c = CONSTANTS[x.high.format]
    high = x.high.clamp(c.low2, c.high2)
    # Where the clamp bites, the lower part belongs to another number.
    low = high.eq(x.high).select(x.low, 0.0)
    n, bits = _nearest_integer(high, high.number(1.0))
    y = fast_two_sum(high - n, low)
    r = two_product(y.high, n.number(c.ln2))
    rest = y.low.fma(c.ln2, y.high.fma(c.ln2_rest, r.low))
    return _scale(_exp_reduced(r.high, rest), bits)


def expm1(x: Expression) -> Expression:
    """e**x - 1. x itself where it is tiny, -0 included; -1 at -inf, +inf at +inf, NaN at NaN."""
    c = CONSTANTS[x.format]
    tiny = abs(x).lt(2.0 ** -(x.format.mantissa + 2))
    clamped = x.clamp(-(x.format.mantissa + 3) * math.log(2), c.high)
    n, bits = _nearest_integer(clamped, x.number(c.log2_e))
    r = n.fma(-c.ln2_high, clamped)
    r = n.fma(-c.ln2_low, r)
    # Half of 2**n * (1 + r + r * r * q) - 1: 2**n may be beyond the greatest number, half of it is not.
    scale = _power_of_two(bits.int_sub(1))
    whole = two_sum(scale - 0.5, scale * r)
    rest = (scale * (r * r)).fma(r.horner(c.q_expm1), whole.low)
    result = whole.high + rest
    return tiny.select(x, result + result)


def _nearest_integer(x: Expression, factor: Expression) -> tuple[Expression, Expression]:
    """The integer nearest x * factor, as a float and as an integer."""
    # Added to a number this large, a fraction is rounded off, and the integer is left in the lowest bits.
    magic = 1.5 * 2.0**x.format.mantissa
    shifted = x.fma(factor, x.number(magic))
    return shifted - x.number(magic), shifted.to_bits().int_sub(_bits_of(x.format, magic))


def _bits_of(format: Format, magic: float) -> int:
    """The bits of 1.5 times the power of two at which the format's numbers are the integers."""
    assert magic == 1.5 * 2.0**format.mantissa
    return ((format.mantissa + format.bias) << format.mantissa) | (1 << (format.mantissa - 1))


def _exp_reduced(r: Expression, rest: Expression | None) -> Expression:
    """exp(r + rest) for |r| at most ln 2 / 2 and a `rest` below the last place of r."""
    one = r.number(1.0)
    whole = one + r
    lost = (one - whole) + r
    if rest is not None:
        lost = lost + rest
    tail = (r * r).fma(r.horner(CONSTANTS[r.format].q), lost)
    return whole + tail


def _scale(p: Expression, n: Expression) -> Expression:
    """p * 2**n, rounded once: the first half of the scale never leaves the normal range."""
    half = n.shift_right(1)
    return p * _power_of_two(half) * _power_of_two(n.int_sub(half))


def _power_of_two(n: Expression) -> Expression:
    return n.int_add(n.format.bias).shift_left(n.format.mantissa).from_bits()
