"""The hyperbolic tangent and the logistic function, and activations made of it.

tanh in f32 is x + x**3 * p(x * x) near 0 and 1 - 2 / (exp(2 * x) + 1) elsewhere, where the errors of the quotient are
scaled down; in f64, whose bound is wider, (1 - e) / (1 + e) with e = exp(-2 * x), kept as 2**n * (1 + p) with a small p
so that 1 - e loses nothing.

The logistic function is the reciprocal of 1 + exp(-x), which is kept as a sum of two floats; one Newton step takes the
second into account. Both 1 and exp(-x) are scaled by the square root of 2**n, so that neither overflows.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.expansions.exponential import CONSTANTS, nearest_integer, power_of_two
from hologram.lowering.expansions.expression import F32, F64, Expression, Format
from hologram.lowering.expansions.pairs import Pair, fast_two_sum, pair_scaled, two_product, two_sum

TANH_NEAR = 1.0
"""Up to here tanh of f32 is a polynomial in x."""
TANH_ONE = {F32: 9.02, F64: 19.1}
"""tanh of it and of everything above rounds to 1."""
# Minimises the error relative to tanh: 2**-27.3.
TANH_F32 = (
    float.fromhex("-0x1.55553ep-2"),
    float.fromhex("0x1.110c1ap-3"),
    float.fromhex("-0x1.b966eap-5"),
    float.fromhex("0x1.6022ecp-6"),
    float.fromhex("-0x1.04a688p-7"),
    float.fromhex("0x1.2e6534p-9"),
    float.fromhex("-0x1.7980b6p-12"),
)
# (2**f - 1) / f for |f| at most 1/2, relative to 2**f: 2**-25.9 and 2**-55.6.
EXP2: dict[Format, tuple[float, ...]] = {
    F32: (
        float.fromhex("0x1.62e43p-1"),
        float.fromhex("0x1.ebfbep-3"),
        float.fromhex("0x1.c6aecep-5"),
        float.fromhex("0x1.3b29a6p-7"),
        float.fromhex("0x1.5f498p-10"),
        float.fromhex("0x1.44935p-13"),
    ),
    F64: (
        float.fromhex("0x1.62e42fefa39efp-1"),
        float.fromhex("0x1.ebfbdff82c5a5p-3"),
        float.fromhex("0x1.c6b08d704a0d7p-5"),
        float.fromhex("0x1.3b2ab6fb9fdd4p-7"),
        float.fromhex("0x1.5d87fe78a0b97p-10"),
        float.fromhex("0x1.4309130f8f854p-13"),
        float.fromhex("0x1.ffcbfc7d2ccb6p-17"),
        float.fromhex("0x1.62bfc5b6131p-20"),
        float.fromhex("0x1.b524cbedec06p-24"),
        float.fromhex("0x1.e61ebf07dc933p-28"),
        float.fromhex("0x1.ea1b587aab3bep-32"),
    ),
}


def two_to(shifted: Expression, factor: float = 1.0) -> Expression:
    """factor * 2**n of the sum of n and 1.5 * 2**mantissa, whose lowest bits are n; the factor is 1 or -1."""
    one = shifted.format.bias << shifted.format.mantissa
    # What is above n is shifted out.
    bits = shifted.to_bits().shift_left(shifted.format.mantissa)
    return bits.int_add(one if factor > 0 else one - (1 << shifted.format.integer.width.data - 1)).from_bits()


def tanh(x: Expression) -> Expression:
    """The hyperbolic tangent. Keeps -0; 1 and -1 at the infinities, NaN at NaN."""
    magnitude = abs(x)
    end = TANH_ONE[x.format]
    # Bounded so that a NaN stays.
    bounded = magnitude.gt(end).select(end, magnitude)
    far = _tanh_by_quotient(bounded) if x.format is F32 else _tanh_by_difference(bounded)
    if x.format is F32:
        square = magnitude * magnitude
        near = _near(magnitude, square, square.horner(TANH_F32))
        far = magnitude.lt(TANH_NEAR).select(near, far)
    return far.copysign(x)


def _tanh_by_quotient(x: Expression) -> Expression:
    """1 - 2 / (2**y + 1) with y = 2 * x * log2(e). Where y is great, the quotient counts little."""
    magic = 1.5 * 2.0**x.format.mantissa
    factor = float.fromhex("0x1.715476p+1")
    shifted = x.fma(factor, magic)
    n = shifted - magic
    if x.fused:
        fraction = x.fma(factor, -n)
    else:
        product = two_product(x, x.number(factor))
        fraction = (product.high - n) + product.low
    scale = two_to(shifted)
    growth = fraction * fraction.horner(EXP2[x.format])
    return 1.0 - 2.0 / growth.fma(scale, scale + 1.0)


def _near(x: Expression, square: Expression, p: Expression) -> Expression:
    """x + x * square * p."""
    if x.fused:
        return x.fma(square * p, x)
    product = pair_scaled(two_product(square, p), x)
    total = fast_two_sum(x, product.high)
    return total.high + (total.low + product.low)


def _tanh_by_difference(x: Expression) -> Expression:
    """(1 - s - s * p) / (1 + s + s * p), where exp(-2 * x) is s * (1 + p) and s a power of two: products are exact."""
    c = CONSTANTS[x.format]
    doubled = x * -2.0
    n, bits = nearest_integer(doubled, c.log2_e)
    r = n.fma(-c.ln2_high, doubled)
    r = n.fma(-c.ln2_low, r)
    scale = power_of_two(bits)
    part = scale * (r * r).fma(r.horner(c.q_expm1), r)
    return ((1.0 - scale) - part) / ((scale + 1.0) + part)


@dataclass(frozen=True)
class Ends:
    """Where the logistic function of one format and what is made of it end."""

    sigmoid: float
    """sigmoid of minus this rounds to 0, of this to 1."""
    swish: float
    """swish of minus this rounds to -0."""
    gelu_tanh: float
    """The same of gelu.tanh."""


ENDS = {F32: Ends(104.0, 110.0, 12.0), F64: Ends(746.0, 760.0, 22.5)}

# sqrt(8 / pi), and 0.044715 of it, in two parts each.
GELU_LINEAR: dict[Format, tuple[float, float]] = {
    F32: (float.fromhex("0x1.988454p+0"), float.fromhex("-0x1.857936p-25")),
    F64: (float.fromhex("0x1.9884533d43651p+0"), float.fromhex("-0x1.cbc0d30ebfd15p-54")),
}
GELU_CUBIC: dict[Format, tuple[float, float]] = {
    F32: (float.fromhex("0x1.2444f2p-4"), float.fromhex("0x1.49b16ap-29")),
    F64: (float.fromhex("0x1.2444f2a4d8b4bp-4"), float.fromhex("-0x1.6c843a29d1c7p-61")),
}


def sigmoid(x: Expression) -> Expression:
    """1 / (1 + exp(-x)). +0 at -inf, 1 at +inf, NaN at NaN; subnormal results are not flushed."""
    end = ENDS[x.format].sigmoid
    value, scale = _logistic(x.clamp(-end, end), None)
    return value * scale


def swish(x: Expression) -> Expression:
    """x / (1 + exp(-x)). Keeps -0; -0 at -inf, +inf at +inf, NaN at NaN; subnormal results are not flushed."""
    end = ENDS[x.format].swish
    gate, scale = _logistic(x.clamp(-end, end), None)
    return _from(x, -end) * gate * scale


def gelu_tanh(x: Expression) -> Expression:
    """x * (1 + tanh(u)) / 2 with u = sqrt(2 / pi) * (x + 0.044715 * x**3): x times the logistic function of 2 * u.

    Special values as of swish.
    """
    end = ENDS[x.format].gelu_tanh
    bounded = x.clamp(-end, end)
    (linear, linear_rest), (cubic, cubic_rest) = GELU_LINEAR[x.format], GELU_CUBIC[x.format]
    # An error of 2 * u counts as many times as 2 * u is great, so that it is kept in two floats.
    square = two_product(bounded, bounded)
    product = two_product(square.high, x.number(cubic))
    total = two_sum(product.high, x.number(linear))
    rest = square.high.fma(cubic_rest, square.low.fma(cubic, product.low)) + (total.low + linear_rest)
    argument = pair_scaled(Pair(total.high, rest), bounded)
    gate, scale = _logistic(argument.high, argument.low)
    return _from(x, -end) * gate * scale


def _from(x: Expression, low: float) -> Expression:
    """x, or `low` where x is below; NaN stays."""
    return x.lt(low).select(low, x)


def _logistic(x: Expression, rest: Expression | None) -> tuple[Expression, Expression]:
    """1 / (1 + exp(-(x + rest))) as a product of two factors, the second a power of two."""
    c = CONSTANTS[x.format]
    n, bits = nearest_integer(x, -c.log2_e)
    first = n.fma(-c.ln2_high, -x)
    r = n.fma(-c.ln2_low, first)
    lost = n.fma(-c.ln2_low, first - r)
    if rest is not None:
        reduced = two_sum(r, -rest)
        r, lost = reduced.high, lost + reduced.low
    growth = fast_two_sum(r, (r * r).fma(r.horner(c.q), lost))
    # exp(-x) is 2**n * (1 + growth); both terms of the denominator are divided by 2**half.
    half = bits.shift_right(1)
    one, scale = power_of_two(x.integer(0).int_sub(half)), power_of_two(bits.int_sub(half))
    larger = one.lt(scale)
    base = fast_two_sum(larger.select(scale, one), larger.select(one, scale))
    total = fast_two_sum(base.high, scale * growth.high)
    low = scale.fma(growth.low, total.low + base.low)
    quotient = 1.0 / total.high
    return quotient.fma(_residue(quotient, total.high, low), quotient), one


def _residue(quotient: Expression, divisor: Expression, rest: Expression) -> Expression:
    """1 - quotient * (divisor + rest), where the quotient is nearly right."""
    if quotient.fused:
        exact = quotient.fma(-divisor, 1.0)
    else:
        product = two_product(quotient, divisor)
        exact = (1.0 - product.high) - product.low
    return quotient.fma(-rest, exact)
