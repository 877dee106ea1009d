"""The hyperbolic tangent and the logistic function, and activations made of it.

tanh in f32 is a polynomial an interval (`tables`), and the intervals lie the closer the nearer they are to 0; in f64,
whose bound is wider, (1 - e) / (1 + e) with e = exp(-2 * x), kept as 2**n * (1 + p) with a small p so that 1 - e loses
nothing.

The logistic function is the reciprocal of 1 + exp(-x), which is kept as a sum of two floats; one Newton step takes the
second into account. Both 1 and exp(-x) are scaled by the square root of 2**n, so that neither overflows.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.arithmetic.expansions.exponential import CONSTANTS, nearest_integer, power_of_two
from hologram.lowering.arithmetic.expansions.expression import (
    F32,
    F64,
    Expression,
    Format,
    Pair,
    fast_two_sum,
    pair_scaled,
    two_product,
    two_sum,
)
from hologram.lowering.arithmetic.expansions.tables import Table

TANH_ONE = {F32: 9.02, F64: 19.1}
"""tanh of it and of everything above rounds to 1."""
TANH_SHIFT, TANH_STEPS = 0.625, 21
"""The interval of x >= 0 is in the lowest bits of the bits of x + TANH_SHIFT, shifted right by TANH_STEPS."""
# Relative to tanh to 2**-28.2. Each line: a centre c, and the coefficients of tanh(c + t) from the constant one on.
TANH_F32 = Table(
    "tanh_f32",
    """
    3fcfffd8 3f6ce372 3e132f6a be08327b 3d99f49c bccea011 3a97c957 3b8a4eb8
    40080202 3f78cd19 3d631fb2 bd5cbca5 3d0ad374 bc7562ba 3b91fe3d ba0af9bd
    40280101 3f7d53df 3caa23b9 bca85d0e 3c5bc7cf bbd27ded 3b1a7ed6 ba275c28
    4047fd04 3f7f035e 3bfc255c bbfb2c6d 3ba6261a bb239a7b 3a7fad76 b99d5485
    4077ff7d 3f7fc790 3ae1a854 bae175e2 3a95e547 ba156fcc 39773887 b8a13386
    409bfdc2 3f7ff85b 39749dc6 b9749647 3922d81d b8a2cb6a 3807b909 b733f1ff
    40bbfbb0 3f7ffef7 3804804e b8047c68 37b077c9 b730e4d2 3693487a b5bc1c3b
    40dc5f54 3f7fffdd 368c0286 b68c2364 363a8619 b5b656f6 351ae93d b48e318a
    4101d886 3f7ffffd 34bfe793 b4bf10e1 347ebbc8 b4050b87 335e96f7 b24f2bcf
    00000000 00000000 3f800000 b32cfe54 beaaaa13 b92de9dd 3e0b43e0 bca05f99
    3e400049 3e3dc843 3f7734eb be374375 be93d23b 3de7cb15 3dc5449f bd7eb9f7
    3e9fee0c 3e9aec76 3f688faa be8cbd37 be60ea47 3e21cacc 3d3e2168 bd70746f
    3f000056 3eec9b26 3f495465 beba13d4 bdc0ed02 3e28a466 bcd97a23 bd506139
    3f40006b 3f22995f 3f18b988 bec201cf 3d2b3e64 3dcc4b08 bd81f896 baae7364
    3f7fffe9 3f42f7cc 3ed706fe bea3c370 3dd42e0b 3ce30aa5 bd3d5661 3c993149
    3fa00143 3f5929d3 3e8f9023 be739146 3dddd10d bc4e3d44 bc9de8dd 3c768bd5
    """,
)


def tanh(x: Expression) -> Expression:
    """The hyperbolic tangent. Keeps -0; 1 and -1 at the infinities, NaN at NaN."""
    magnitude = abs(x)
    end = TANH_ONE[x.format]
    # Bounded so that a NaN stays.
    bounded = magnitude.gt(end).select(end, magnitude)
    result = _tanh_by_interval(bounded) if x.format is F32 else _tanh_by_difference(bounded)
    return result.copysign(x)


def _tanh_by_interval(x: Expression) -> Expression:
    """c0 + (c1 * t + t * t * p(t)) with t = x - c; in the first interval c and c0 are 0 and c1 is 1."""
    interval = (x + TANH_SHIFT).to_bits().shr(TANH_STEPS)
    c, c0, c1, *p = x.emitter.lookup(TANH_F32, interval)
    t = x - c
    return t.fma(c1, t * t * t.horner(p)) + c0


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
    """The ends of the logistic function in one format, and of the functions that are made of it."""

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
    half = bits.ashr(1)
    one, scale = power_of_two(x.integer(0) - half), power_of_two(bits - half)
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
