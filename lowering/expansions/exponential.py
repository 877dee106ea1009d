"""The exponential functions.

x is split as n * ln 2 + r with an integer n and |r| at most ln 2 / 2. exp(r) is 1 + r + r * r * q(r), with a minimax
polynomial q; the sum 1 + r is kept with its rounding error, so that the last addition is the only rounding that counts.
The scale 2**n is applied in two steps, so that overflow and subnormal results come out of one correctly rounded
multiplication. Clamping keeps n in range and NaN as it is. There is no branch and no table.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.expansions.expression import F32, F64, Expression, Format
from hologram.lowering.expansions.pairs import two_product


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


# The polynomials minimise the largest |r * r * (q(r) - (exp(r) - 1 - r) / (r * r))| / exp(r): 2**-28.3 and 2**-56.8.
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
