"""The logarithms.

x is split as 2**k * (1 + f) with |f| small. log(1 + f) is f + tail(f): in f32 a polynomial in f, in f64 a series in
s = f / (2 + f) as in FreeBSD's e_log.c. The sum with k * log 2, whose upper part is exact, keeps the rounding error of
its large terms, so that only the last addition counts; where x is near 1, k is 0 and f is exact.

`test/math_expansions/minimax.py` makes the polynomials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hologram.lowering.arithmetic.expansions.expression import F32, F64, Expression, Format, fast_two_sum, two_sum
from hologram.lowering.arithmetic.expansions.tables import floats


@dataclass(frozen=True)
class Base:
    """The logarithms of 2 and of e to a base, in one format."""

    two: float
    """The first bits of log 2, so few that k times it is exact."""
    two_rest: float
    e: float
    """log e rounded; 1 for the natural logarithm."""
    e_rest: float


NATURAL: dict[Format, Base] = {
    F32: Base(float.fromhex("0x1.62e4p-1"), float.fromhex("0x1.7f7d1cp-20"), 1.0, 0.0),
    F64: Base(float.fromhex("0x1.62e42fefa38p-1"), float.fromhex("0x1.ef35793c7673p-45"), 1.0, 0.0),
}
BASE_2: dict[Format, Base] = {
    F32: Base(1.0, 0.0, float.fromhex("0x1.715476p+0"), float.fromhex("0x1.4ae0cp-26")),
    F64: Base(1.0, 0.0, float.fromhex("0x1.71547652b82fep+0"), float.fromhex("0x1.777d0ffda0d24p-56")),
}
BASE_10: dict[Format, Base] = {
    F32: Base(*floats("0x1.3442p-2 -0x1.95ec1p-19 0x1.bcb7b2p-2 -0x1.5b235ep-27")),
    F64: Base(*floats("0x1.34413509f78p-2 0x1.fef311f12b358p-46 0x1.bcb7b1526e50ep-2 0x1.95355baaafad3p-57")),
}

THRESHOLDS: dict[Format, int] = {F32: 0x3F2AAAAB, F64: 0x3FE6A09E667F3BCD}
"""The bits of the least 1 + f: 2/3 centres the interval of f at 0; the root of 1/2 that of s."""

# log(1 + f) is f - f**2 / 2 + f**3 * q(f): 2**-27.2 of the result.
TAIL_F32 = floats(
    "0x1.55550ap-2 -0x1.fffef8p-3 0x1.99ceap-3 -0x1.559ca6p-3 0x1.1eecd8p-3 -0x1.f32fp-4 0x1.1e071p-3 -0x1.07c842p-3"
)
# log((1 + s) / (1 - s)) is 2 * s + s * t * r(t), t = s**2: 2**-57.8.
SERIES_F64 = floats(
    "0x1.5555555555589p-1 0x1.999999998231dp-2 0x1.2492494033d01p-2 0x1.c71c5346622d8p-3 0x1.74660471f55aep-3 "
    "0x1.39a71ed8bf934p-3 0x1.2ed30c290deaap-3"
)


def log(x: Expression) -> Expression:
    """The natural logarithm. 0 at 1, -inf at +0 and -0, +inf at +inf, NaN below 0 and at NaN."""
    return _logarithm(x, NATURAL[x.format])


def log2(x: Expression) -> Expression:
    """The logarithm to base 2, exact where x is a power of two. Special values as of log."""
    return _logarithm(x, BASE_2[x.format])


def log10(x: Expression) -> Expression:
    """The logarithm to base 10. Special values as of log."""
    return _logarithm(x, BASE_10[x.format])


def log1p(x: Expression) -> Expression:
    """log(1 + x). x itself where it is tiny, -0 included; -inf at -1, +inf at +inf, NaN below -1 and at NaN."""
    format = x.format
    shift = _exponent_bits(x + 1.0, THRESHOLDS[format])
    # x * 2**-k + (2**-k - 1), with exact summands. k may be one too many for the exponents, so the scale is 4 * 2**-k.
    scale = (x.integer((format.bias + 2) << format.mantissa) - shift).from_bits()
    part = (x.to_bits() - shift).from_bits()
    f = two_sum(scale * 0.25 - 1.0, part)
    result = _combine(f.high, f.low, _to_exponent(shift), NATURAL[format])
    result = _at_ends(result, x, -1.0)
    return result.copysign(x)


def split_exponent(x: Expression, threshold: int) -> tuple[Expression, Expression]:
    """m and k with x = m * 2**k, where m begins at the number with the bits `threshold`; x is finite and above 0."""
    format = x.format
    up = format.mantissa + 1
    subnormal = x.lt(2.0 ** (1 - format.bias))
    x = subnormal.select(x * 2.0**up, x)
    shift = _exponent_bits(x, threshold)
    k = _to_exponent(shift) - subnormal.select(float(up), 0.0)
    return (x.to_bits() - shift).from_bits(), k


def _exponent_bits(x: Expression, threshold: int) -> Expression:
    """k where the exponent stands in the bits of a float."""
    return (x.to_bits() - threshold).both(-1 << x.format.mantissa)


def _to_exponent(shift: Expression) -> Expression:
    """k as a float."""
    return shift.ashr(shift.format.mantissa).small_to_float()


def _logarithm(x: Expression, base: Base) -> Expression:
    m, k = split_exponent(x, THRESHOLDS[x.format])
    return _at_ends(_combine(m - 1.0, None, k, base), x, 0.0)


def _at_ends(result: Expression, x: Expression, pole: float) -> Expression:
    """The special values: NaN below the pole, -inf there, +inf and NaN as they are."""
    result = x.lt(math.inf).select(result, x)
    result = x.lt(pole).select(math.nan, result)
    return x.eq(pole).select(-math.inf, result)


def _combine(f: Expression, f_rest: Expression | None, k: Expression, base: Base) -> Expression:
    """log(1 + f + f_rest) + k * log 2 to a base."""
    high, low = f, _tail(f)
    if f_rest is not None:
        low = low + f_rest
    if base.e != 1.0:
        high = f * base.e
        if f.fused:
            low = low.fma(base.e, f.fma(base.e, -high))
        else:
            low = low * base.e
        low = f.fma(base.e_rest, low)
    if base.two_rest:
        low = k.fma(base.two_rest, low)
    whole = fast_two_sum(k * base.two if base.two != 1.0 else k, high)
    return whole.high + (whole.low + low)


def _tail(f: Expression) -> Expression:
    """log(1 + f) - f."""
    if f.format is F32:
        return (f * f) * f.fma(f.horner(TAIL_F32), -0.5)
    s = f / (f + 2.0)
    t = s * s
    half_square = f * f * 0.5
    return s.fma(t.fma(t.horner(SERIES_F64), half_square), -half_square)
