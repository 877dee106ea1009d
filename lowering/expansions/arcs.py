"""The arc tangent of one number and of two.

The smaller magnitude over the larger is u in [0, 1]; atan(u) is u + u**3 * p(u * u), with a minimax polynomial p. What
octant it belongs to adds a multiple of pi / 2, kept in two floats.
"""

from __future__ import annotations

from hologram.lowering.expansions.expression import F32, F64, Expression, Format

# The polynomials minimise the relative error of atan: 2**-27.0 and 2**-55.1.
ATAN: dict[Format, tuple[float, ...]] = {
    F32: (
        float.fromhex("-0x1.555552p-2"),
        float.fromhex("0x1.999806p-3"),
        float.fromhex("-0x1.247532p-3"),
        float.fromhex("0x1.c506d6p-4"),
        float.fromhex("-0x1.693042p-4"),
        float.fromhex("0x1.14c06ap-4"),
        float.fromhex("-0x1.6fc10ep-5"),
        float.fromhex("0x1.73ff1cp-6"),
        float.fromhex("-0x1.e4821p-8"),
        float.fromhex("0x1.27caf2p-10"),
    ),
    F64: (
        float.fromhex("-0x1.5555555555551p-2"),
        float.fromhex("0x1.999999999915p-3"),
        float.fromhex("-0x1.2492492467c58p-3"),
        float.fromhex("0x1.c71c71b9ec40ep-4"),
        float.fromhex("-0x1.745d1611b108fp-4"),
        float.fromhex("0x1.3b139ecf2fa56p-4"),
        float.fromhex("-0x1.11104b806e72bp-4"),
        float.fromhex("0x1.e1d5bd42e97b4p-5"),
        float.fromhex("-0x1.aee000f983937p-5"),
        float.fromhex("0x1.84c8ec155eec8p-5"),
        float.fromhex("-0x1.5f5e9faecdab7p-5"),
        float.fromhex("0x1.39873119f974ap-5"),
        float.fromhex("-0x1.0d7b9dcfb7ddap-5"),
        float.fromhex("0x1.aeff3d2f62c31p-6"),
        float.fromhex("-0x1.33bf33d397794p-6"),
        float.fromhex("0x1.779114595fc16p-7"),
        float.fromhex("-0x1.75e2ad1cfb3fep-8"),
        float.fromhex("0x1.1fbffe357f2cbp-9"),
        float.fromhex("-0x1.3e561ad675e41p-11"),
        float.fromhex("0x1.bfbccb7080f67p-14"),
        float.fromhex("-0x1.2b6cc739b2714p-17"),
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
    left = x.to_bits().int_compare("slt", 0)
    signed = steep.differs(left).select(-angle, angle)
    high, low = HALF_PI[x.format]
    base = steep.select(high, left.select(2 * high, 0.0))
    rest = steep.select(low, left.select(2 * low, 0.0))
    return (base + (signed + rest)).copysign(y)


def _atan(u: Expression) -> Expression:
    """The arc tangent for |u| at most 1."""
    square = u * u
    return u.fma(square * square.horner(ATAN[u.format]), u)
