"""The trigonometric functions.

The magnitude of x is q * pi / 2 + r with an integer q and |r| at most a little over pi / 4. Up to a limit, r comes
from subtracting q times pi / 2 in parts (W. J. Cody, W. Waite, "Software Manual for the Elementary Functions", 1980).
Beyond, x / (2 * pi) modulo 1 is computed with integers from those digits of 2 / pi that matter at the exponent of x
(M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983); code for vectors
skips that where no lane is so large. r is kept with its rounding error. Then r goes through polynomials.

The arc tangent of one number and of two.

The smaller magnitude over the larger is u in [0, 1]; atan(u) is u + u**3 * p(u * u), with a minimax polynomial p. What
octant it belongs to adds a multiple of pi / 2, kept in two floats.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.arithmetic.expansions.expression import (
    F32,
    F64,
    Expression,
    Format,
    Pair,
    fast_two_sum,
    two_product,
    two_sum,
)
from hologram.lowering.arithmetic.expansions.tables import floats


@dataclass(frozen=True)
class Reduction:
    """pi / 2 in parts, whose sum it is."""

    limit: float
    """Up to here the parts do."""
    parts: tuple[float, ...]
    """Without fma, all but the last have so few bits that their products with q are exact."""


FUSED: dict[Format, Reduction] = {
    F32: Reduction(
        limit=2.0**16,
        parts=floats("0x1.921fb6p+0 -0x1.777a5cp-25 -0x1.ee59dap-50"),
    ),
    F64: Reduction(
        limit=2.0**30,
        parts=floats("0x1.921fb54442d18p+0 0x1.1a62633145c07p-54 -0x1.f1976b7ed8fbcp-110"),
    ),
}
UNFUSED: dict[Format, Reduction] = {
    F32: Reduction(
        limit=6400.0,
        parts=floats("0x1.92p+0 0x1.fb4p-12 0x1.444p-24 0x1.68c234p-39"),
    ),
    F64: Reduction(
        limit=2.0**20,
        parts=floats("0x1.921fb544p+0 0x1.0b4611a6p-34 0x1.3198a2ep-69 0x1.b839a252049c1p-104"),
    ),
}

RECIPROCAL = {F32: float.fromhex("0x1.45f306p-1"), F64: float.fromhex("0x1.45f306dc9c883p-1")}
"""2 / pi rounded to the format."""
TWO_OVER_PI = """
    A2F9836E4E441529 FC2757D1F534DDC0 DB6295993C439041 FE5163ABDEBBC561 B7246E3A424DD2E0 06492EEA09D1921C
    FE1DEB1CB129A73E E88235F52EBB4484 E99C7026B45F7E41 3991D639835339F4 9C845F8BBDF9283B 1FF897FFDE05980F
    EF2F118B5A0A6D1F 6D367ECF27CB09B7 4F463F669E5FEA2D 7527BAC7EBE5F17B 3D0739F78A5292EA 6BFB5FB11F8D5D08
    56033046FC7B6BAB
"""
"""The digits of 2 / pi behind the point, in hexadecimal."""
WORDS = {F32: 7, F64: 19}
"""The words of them, of the format's width, that reductions need."""


@dataclass(frozen=True)
class Polynomials:
    """Polynomials in s = r * r."""

    sin: tuple[float, ...]
    """sin(r) = r + r * s * sin(s)"""
    cos: tuple[float, ...]
    """cos(r) = 1 - s / 2 + s * s * cos(s)"""
    tan: tuple[float, ...]
    """tan(r) = r + r * s * tan(s)"""


# They minimise relative errors: f32 2**-28.0, 2**-30.8, 2**-26.9, f64 2**-57.2, 2**-61.6, 2**-56.2.
POLYNOMIALS: dict[Format, Polynomials] = {
    F32: Polynomials(
        sin=floats("-0x1.555556p-3 0x1.111108p-7 -0x1.a00f92p-13 0x1.6cd542p-19"),
        cos=floats("0x1.55554ap-5 -0x1.6c0c6ep-10 0x1.99f9e4p-16"),
        tan=floats("0x1.55556p-2 0x1.110dcap-3 0x1.bad396p-5 0x1.5cf598p-6 0x1.61e256p-7 0x1.0e1bep-13 0x1.1db2eep-8"),
    ),
    F64: Polynomials(
        sin=floats(
            "-0x1.5555555555555p-3 0x1.111111111110bp-7 -0x1.a01a01a018b49p-13 0x1.71de3a533ef74p-19 "
            "-0x1.ae64529d22484p-26 0x1.612094c4665adp-33 -0x1.aaa5ebe5e8eb1p-41"
        ),
        cos=floats(
            "0x1.5555555555552p-5 -0x1.6c16c16c15d05p-10 0x1.a01a019dac44cp-16 -0x1.27e4f8aa8970ap-22 "
            "0x1.1eea4e4783f93p-29 -0x1.8fdd0ffb517fcp-37"
        ),
        tan=floats(
            "0x1.555555555555ap-2 0x1.11111111109e7p-3 0x1.ba1ba1ba913d4p-5 0x1.664f4865a3233p-6 "
            "0x1.226e398d5d4ap-7 0x1.d6d30bc1db1e8p-9 0x1.7dafb788a4238p-10 0x1.34cd345f873eap-11 "
            "0x1.fe498401e631cp-13 0x1.62ce07efcd902p-14 0x1.1271687765e1cp-14 -0x1.89c0568096bap-16 "
            "0x1.896e7c15b81a5p-15 -0x1.89596088fbd18p-16 0x1.42d1b17f9d11cp-17"
        ),
    ),
}


def sin(x: Expression) -> Expression:
    """The sine of radians. Keeps -0; NaN at the infinities and NaN."""
    r, quadrant = _reduce(abs(x))
    value = _odd(quadrant).select(_cos(r), _sin(r))
    return _negated(value, quadrant).to_bits().xor(_sign(x)).from_bits()


def cos(x: Expression) -> Expression:
    """The cosine of radians. NaN at the infinities and NaN."""
    r, quadrant = _reduce(abs(x))
    value = _odd(quadrant).select(_sin(r), _cos(r))
    return _negated(value, quadrant + 1)


def tan(x: Expression) -> Expression:
    """The tangent of radians. Keeps -0; NaN at the infinities and NaN."""
    r, quadrant = _reduce(abs(x))
    square = r.high * r.high
    rest = (square * r.high).fma(square.horner(POLYNOMIALS[x.format].tan), r.low.fma(square, r.low))
    tangent = r.high + rest
    odd = _odd(quadrant)
    value = odd.select(-1.0, tangent) / odd.select(tangent, 1.0)
    return value.to_bits().xor(_sign(x)).from_bits()


def _sin(r: Pair) -> Expression:
    square = r.high * r.high
    rest = (square * r.high).fma(square.horner(POLYNOMIALS[square.format].sin), r.low)
    return r.high + rest


def _cos(r: Pair) -> Expression:
    square = r.high * r.high
    half = square * 0.5
    whole = 1.0 - half
    lost = (1.0 - whole) - half
    rest = (square * square).fma(square.horner(POLYNOMIALS[square.format].cos), lost - r.high * r.low)
    return whole + rest


def _odd(quadrant: Expression) -> Expression:
    return quadrant.both(1).compare("ne", 0)


def _negated(value: Expression, quadrant: Expression) -> Expression:
    """-value in the quadrants 2 and 3."""
    width = value.format.integer.width.data
    return value.to_bits().xor(quadrant.both(2).shl(width - 2)).from_bits()


def _sign(x: Expression) -> Expression:
    """The sign bit of x alone."""
    return x.to_bits().both(-1 << x.format.integer.width.data - 1)


def _reduce(x: Expression) -> tuple[Pair, Expression]:
    """x >= 0 less a multiple of pi / 2, and an integer with that multiple's last two bits."""
    reduction = (FUSED if x.fused else UNFUSED)[x.format]
    magic = 1.5 * 2.0**x.format.mantissa
    shifted = x.fma(RECIPROCAL[x.format], magic)
    near = _subtract(x, shifted - magic, reduction.parts)
    chosen = x.emitter.branch(
        x.gt(reduction.limit), lambda: _reduce_by_digits(x), [near.high, near.low, shifted.to_bits()]
    )
    return Pair(chosen[0], chosen[1]), chosen[2]


def _subtract(x: Expression, n: Expression, parts: tuple[float, ...]) -> Pair:
    """x - n * pi / 2."""
    first, *middle, last = parts
    high = n.fma(-first, x)
    low: Expression | None = None
    for part in middle:
        product = two_product(n, n.number(-part)) if n.fused else None
        total = two_sum(high, n * -part if product is None else product.high)
        rest = total.low if product is None else total.low + product.low
        high, low = total.high, rest if low is None else low + rest
    assert low is not None
    return fast_two_sum(high, n.fma(-last, low))


def _reduce_by_digits(x: Expression) -> list[Expression]:
    """The pair and the quadrant for large x, by integers."""
    width = x.format.integer.width.data
    upper, lower = _turns(x)
    # Two bits count quadrants; the rest, as a signed number, is the distance from the nearest.
    high = upper.shl(2).either(lower.shr(width - 2))
    low = lower.shl(2)
    quadrant = upper.shr(width - 2) + high.shr(width - 1)
    # Parts of half a word are floats exactly.
    half = width // 2
    mask = (1 << half) - 1
    parts = [high.ashr(half), high.both(mask), low.shr(half), low.both(mask)]
    a, b, c, d = (part.to_float() * 2.0 ** (-half * (k + 1)) for k, part in enumerate(parts))
    total = fast_two_sum(a, b)
    fraction = fast_two_sum(total.high, total.low + (c + d))
    first, second = _half_pi(x.format)
    product = two_product(fraction.high, x.number(first))
    rest = fraction.high.fma(second, fraction.low.fma(first, product.low))
    r = fast_two_sum(product.high, rest)
    # NaN at infinity.
    return [r.high + (x - x), r.low, quadrant]


def _half_pi(format: Format) -> tuple[float, float]:
    """pi / 2 in two parts of full precision."""
    first, second, _ = FUSED[format].parts
    return first, second


def _turns(x: Expression) -> tuple[Expression, Expression]:
    """x / (2 * pi) modulo 1 as a fixed-point number of two words behind the point."""
    width, mantissa = x.format.integer.width.data, x.format.mantissa
    bits = x.to_bits()
    exponent = bits.shr(mantissa)
    significand = bits.both((1 << mantissa) - 1).either(1 << mantissa)
    # x is the significand times 2**k. Digit i of 2 / pi then counts 2**(k - i), and those of 4 and more drop out; a
    # word of zeros before the digits serves small k.
    place = exponent + (width - 2 - x.format.bias - mantissa)
    shift = place.both(width - 1)
    words = _words(x, place.shr(width.bit_length() - 1))
    window = [_joined(a, b, shift) for a, b in zip(words, words[1:], strict=False)]
    middle = significand * window[1]
    lower = middle + significand.mul_high(window[2])
    carry = lower.compare("ult", middle).select(x.integer(1), x.integer(0))
    upper = significand * window[0] + significand.mul_high(window[1]) + carry
    return upper, lower


def _words(x: Expression, index: Expression) -> list[Expression]:
    """Four words of 2 / pi from `index` on, counting a word of zeros before it."""
    width = x.format.integer.width.data
    digits = [0, *two_over_pi(x.format)]
    words = [x.integer(w - (1 << width) if w >> (width - 1) else w) for w in digits]
    step = 1 << (len(digits) - 4).bit_length() - 1
    while step:
        chosen = index.both(step).compare("ne", 0)
        # With this bit and all lower ones, no more words than these can be asked for.
        count = min(step + 3, len(words))
        words = [chosen.select(words[k + step], words[k]) if k + step < len(words) else words[k] for k in range(count)]
        step //= 2
    return words


def two_over_pi(format: Format) -> list[int]:
    """The words of the digits of 2 / pi, of the format's width."""
    text, letters = "".join(TWO_OVER_PI.split()), format.integer.width.data // 4
    return [int(text[n * letters : (n + 1) * letters], 16) for n in range(WORDS[format])]


def _joined(upper: Expression, lower: Expression, shift: Expression) -> Expression:
    """The word that starts `shift` bits into two words."""
    width = upper.format.integer.width.data
    # In two steps, for a shift by the whole width is none.
    rest = lower.shr(1).shr(shift.xor(width - 1))
    return upper.shl(shift).either(rest)


# The polynomials minimise the relative error of atan: 2**-27.0 and 2**-55.1.
ATAN: dict[Format, tuple[float, ...]] = {
    F32: floats(
        "-0x1.555552p-2 0x1.999806p-3 -0x1.247532p-3 0x1.c506d6p-4 -0x1.693042p-4 0x1.14c06ap-4 -0x1.6fc10ep-5 "
        "0x1.73ff1cp-6 -0x1.e4821p-8 0x1.27caf2p-10"
    ),
    F64: floats(
        "-0x1.5555555555551p-2 0x1.999999999915p-3 -0x1.2492492467c58p-3 0x1.c71c71b9ec40ep-4 "
        "-0x1.745d1611b108fp-4 0x1.3b139ecf2fa56p-4 -0x1.11104b806e72bp-4 0x1.e1d5bd42e97b4p-5 "
        "-0x1.aee000f983937p-5 0x1.84c8ec155eec8p-5 -0x1.5f5e9faecdab7p-5 0x1.39873119f974ap-5 "
        "-0x1.0d7b9dcfb7ddap-5 0x1.aeff3d2f62c31p-6 -0x1.33bf33d397794p-6 0x1.779114595fc16p-7 "
        "-0x1.75e2ad1cfb3fep-8 0x1.1fbffe357f2cbp-9 -0x1.3e561ad675e41p-11 0x1.bfbccb7080f67p-14 "
        "-0x1.2b6cc739b2714p-17"
    ),
}
HALF_PI: dict[Format, tuple[float, float]] = {
    F32: (float.fromhex("0x1.921fb6p+0"), float.fromhex("-0x1.777a5cp-25")),
    F64: (float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54")),
}


def atan(x: Expression) -> Expression:
    """The arc tangent. Keeps -0; pi / 2 and -pi / 2 at the infinities, NaN at NaN."""
    magnitude = abs(x)
    steep = magnitude.gt(1.0)
    angle = _atan(steep.select(-1.0, magnitude) / steep.select(magnitude, 1.0))
    high, low = HALF_PI[x.format]
    return (steep.select(high, 0.0) + (angle + steep.select(low, 0.0))).copysign(x)


def atan2(y: Expression, x: Expression) -> Expression:
    """The angle of the point (x, y), of the sign of y, by C99 annex F.9.1.4.

    0 where y is 0 and x >= +0, pi where y is 0 and x <= -0, pi / 2 where only x is 0; infinities are directions: pi / 4
    and 3 * pi / 4 where both are infinite. NaN where one is NaN.
    """
    across, along = abs(x), abs(y)
    steep = along.gt(across)
    larger, smaller = steep.select(along, across), steep.select(across, along)
    # Equal numbers may be both 0 or both infinite.
    same = larger.eq(smaller)
    ratio = same.select(larger.eq(0.0).select(0.0, 1.0), smaller / larger)
    angle = _atan(ratio)
    left = x.to_bits().compare("slt", 0)
    signed = steep.xor(left).select(-angle, angle)
    high, low = HALF_PI[x.format]
    base = steep.select(high, left.select(2 * high, 0.0))
    rest = steep.select(low, left.select(2 * low, 0.0))
    return (base + (signed + rest)).copysign(y)


def _atan(u: Expression) -> Expression:
    """The arc tangent for |u| at most 1."""
    square = u * u
    return u.fma(square * square.horner(ATAN[u.format]), u)
