"""The exponential functions.

x is split as n * ln 2 + r with an integer n and |r| at most ln 2 / 2. exp(r) is 1 + (r + r * r * q(r)) with a minimax
polynomial q, in which only the last addition rounds much. The scale 2**n is applied in two steps, so that overflow and
subnormal results come out of one more rounding. Clamping keeps n in range and NaN as it is. There is no branch.
`test/math_expansions/minimax.py` makes the polynomials.

exp of f32 counts n in sixteenths: 2**(k / 16) comes from a table of sixteen floats, |r| is at most ln 2 / 32, and two
coefficients do (P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point
arithmetic", ACM TOMS 15, 1989). The powers lie within 0.452 of a last place of their floats, so that errors stay within
0.990 units, 0.999 without fused multiply-adds, and no second table says what they are off by.
Where tables are slow, n is whole and there are six coefficients.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hologram.lowering.arithmetic.expansions.expression import F32, F64, Expression, Format, Pair, two_sum
from hologram.lowering.arithmetic.expansions.tables import INTERVALS, Table, floats


@dataclass(frozen=True)
class Constants:
    """The constants of one format."""

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
    q: tuple[float, ...]
    """exp(r) = 1 + r + r**2 * q(r)."""
    q_exp2: tuple[float, ...]
    """2**y = 1 + y * ln 2 + y**2 * q(y)."""
    q_expm1: tuple[float, ...]
    """As q, with an error in proportion to r."""


# Errors in proportion to the result: q 2**-29.2 and 2**-56.3, q_exp2 2**-27.8 and 2**-56.8, q_expm1 2**-28.7 and
# 2**-59.8.
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
        q=floats("0x1.p-1 0x1.555554p-3 0x1.55548ap-5 0x1.111278p-7 0x1.6d91fp-10 0x1.9f0a66p-13"),
        q_exp2=floats("0x1.ebfbdcp-3 0x1.c6af8p-5 0x1.3b2e02p-7 0x1.5f0a0cp-10 0x1.415f46p-13"),
        q_expm1=floats("0x1p-1 0x1.555556p-3 0x1.5554aap-5 0x1.11108ap-7 0x1.6d7984p-10 0x1.a1a8bap-13"),
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
        q=floats(
            "0x1.0000000000009p-1 0x1.55555555554f8p-3 0x1.55555555507adp-5 0x1.111111112868fp-7 "
            "0x1.6c16c184a7d38p-10 0x1.a01a0127687dep-13 0x1.a019981e95d94p-16 0x1.71df28ced5e48p-19 "
            "0x1.28afa5c4341d9p-22 0x1.ad803d78ddaebp-26"
        ),
        q_exp2=floats(
            "0x1.ebfbdff82c5a1p-3 0x1.c6b08d704a042p-5 0x1.3b2ab6fba0694p-7 0x1.5d87fe78c463dp-10 "
            "0x1.4309130e408fep-13 0x1.ffcbfbc3e1cb9p-17 0x1.62bfc83519259p-20 0x1.b526575e255aep-24 "
            "0x1.e61b7c3636b01p-28 0x1.e7c7774d89371p-32"
        ),
        q_expm1=floats(
            "0x1p-1 0x1.5555555555559p-3 0x1.555555555555bp-5 0x1.111111110f518p-7 0x1.6c16c16c14279p-10 "
            "0x1.a01a01b0a7da2p-13 0x1.a01a01b160c4cp-16 0x1.71ddf6214b67ep-19 0x1.27e4c41525682p-22 "
            "0x1.af6300f98c4bcp-26 0x1.1f97ea0bc67cp-29"
        ),
    ),
}

POWERS = Table(
    "powers_f32",
    """
    3f800000 3f85aac3 3f8b95c2 3f91c3d3 3f9837f0 3f9ef532 3fa5fed7 3fad583f
    3fb504f3 3fbd08a4 3fc5672a 3fce248c 3fd744fd 3fe0ccdf 3feac0c7 3ff5257d
    """,
)
"""2**(k / 16)."""
BELOW = 65
"""What is added to exponents of results up to 1 while they may be subnormal: odd, as the biases are, so that numbers
half way between two integers go where they go without it."""
STEP_HIGH, STEP_LOW = float.fromhex("0x1.62ep-1"), float.fromhex("0x1.0bfbe8p-15")
"""ln 2 in two parts. A number of sixteenths, of twelve bits, times the first is exact."""
STEP_Q = (float.fromhex("0x1.00021ap-1"), float.fromhex("0x1.55559ep-3"))
"""exp(r) = 1 + r + r**2 * q(r) for |r| up to ln 2 / 32, to 2**-28.8."""


def exp(x: Expression) -> Expression:
    """e**x. 1 at +0 and -0, +0 at -inf, +inf at +inf, NaN at NaN; subnormal results are not flushed."""
    c = CONSTANTS[x.format]
    bounded = x.clamp(c.low, c.high)
    if x.format is F32 and x.emitter.looks_up:
        return _exp_by_steps(bounded)
    r, whole, n = _reduced(bounded)
    return _scale((r * r).fma(r.horner(c.q), r) + 1.0, whole, n)


def exp_below(x: Expression) -> Expression:
    """exp of what is no number above 0, where there are no tables, in the same bits."""
    c, offset = CONSTANTS[x.format], x.format.bias + BELOW
    r, _, n = _reduced(x.lt(c.low).select(c.low, x), offset)
    # 2**n may be subnormal; with an offset it is not, nor is the product, and taking that back rounds once.
    power = n.shl(x.format.mantissa).from_bits()
    return ((r * r).fma(r.horner(c.q), r) + 1.0) * power * 2.0**-BELOW


def _exp_by_steps(x: Expression) -> Expression:
    """t * (1 + r + r * r * q(r)) times a power of two, where t is one of the table."""
    whole, bits = nearest_integer(x, CONSTANTS[F32].log2_e, INTERVALS)
    r = whole.fma(-STEP_HIGH, x)
    r = whole.fma(-STEP_LOW, r)
    (t,) = x.emitter.lookup(POWERS, bits)
    return _scale(t.fma((r * r).fma(r.horner(STEP_Q), r), t), whole, bits, INTERVALS)


def exp2(x: Expression) -> Expression:
    """2**x, exact where x is an integer. Special values as of exp."""
    c = CONSTANTS[x.format]
    x = x.clamp(c.low2, c.high2)
    whole, n = nearest_integer(x, 1.0)
    return _scale(_exp2_fraction(x - whole), whole, n)


def exp2_of_pair(x: Pair) -> Expression:
    """2**(x.high + x.low). For pow."""
    c = CONSTANTS[x.high.format]
    high = x.high.clamp(c.low2, c.high2)
    # Where the clamp bites, the lower part belongs to another number.
    low = high.eq(x.high).select(x.low, 0.0)
    whole, n = nearest_integer(high, 1.0)
    return _scale(_exp2_fraction((high - whole) + low), whole, n)


def expm1(x: Expression) -> Expression:
    """e**x - 1. x itself where it is tiny, -0 included; -1 at -inf, +inf at +inf, NaN at NaN."""
    c = CONSTANTS[x.format]
    tiny = abs(x).lt(2.0 ** -(x.format.mantissa + 2))
    r, _, n = _reduced(x.clamp(-(x.format.mantissa + 3) * math.log(2), c.high))
    # Half of 2**n * (1 + r + r * r * q) - 1: 2**n may be beyond the greatest number, half of it is not.
    scale = power_of_two(n - 1)
    whole = two_sum(scale - 0.5, scale * r)
    rest = (scale * (r * r)).fma(r.horner(c.q_expm1), whole.low)
    result = whole.high + rest
    return tiny.select(x, result + result)


def _reduced(x: Expression, offset: int = 0) -> tuple[Expression, Expression, Expression]:
    """r and n with x = n * ln 2 + r; n as `nearest_integer` gives it."""
    c = CONSTANTS[x.format]
    whole, n = nearest_integer(x, c.log2_e, offset=offset)
    r = whole.fma(-c.ln2_high, x)
    return whole.fma(-c.ln2_low, r), whole, n


def nearest_integer(x: Expression, factor: float, steps: int = 1, offset: int = 0) -> tuple[Expression, Expression]:
    """The multiple of 1 / steps nearest x * factor, as a float and as an integer number of steps with other bits above.

    `steps` is a power of two, by default 1; an even `offset` is added to the integer.
    """
    # Added to a number this large, a fraction is rounded off, and the integer is left in the lowest bits.
    magic = 1.5 * 2.0**x.format.mantissa / steps + offset
    shifted = x + magic if factor == 1.0 else x.fma(factor, magic)
    return shifted - magic, shifted.to_bits()


def _exp2_fraction(y: Expression) -> Expression:
    """2**y for |y| at most 1/2."""
    c = CONSTANTS[y.format]
    return (y * y).fma(y.horner(c.q_exp2), y * c.ln2) + 1.0


def _scale(p: Expression, whole: Expression, n: Expression, steps: int = 1) -> Expression:
    """p * 2**floor(whole), of `nearest_integer`: the first half of the scale never leaves the normal range."""
    if p.emitter.scales:
        return p.scaled(whole)
    n = n if steps == 1 else n.ashr(steps.bit_length() - 1)
    half = n.ashr(1)
    return p * power_of_two(half) * power_of_two(n - half)


def power_of_two(n: Expression) -> Expression:
    """2**n; bits of n above the exponent's are shifted out."""
    return (n + n.format.bias).shl(n.format.mantissa).from_bits()
