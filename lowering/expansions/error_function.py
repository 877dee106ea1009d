"""The error function and the Gaussian error linear unit.

erf is x + x * p(x * x) near 0, and 1 - 2**l(x) elsewhere, with a polynomial l for log2(erfc(x)): what an error of l
adds is scaled down by erfc.

gelu is max(x, 0) - |x| * phi(-|x|), with the distribution function phi of the normal distribution. For t >= 0,
phi(-t) is exp(-t * t / 2) * g(v) / (t + k), where g hardly varies; as v = (t - k) / (t + k) runs over a bounded
range, a polynomial does for g (M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x**2)
erfc x", Math. Comp. 36, 1981). t * t is kept in two floats, so that the left tail keeps its digits. Near 0, in f32,
gelu is x / 2 and x * x times a polynomial.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.lowering.expansions.exponential import CONSTANTS, nearest_integer, power_of_two
from hologram.lowering.expansions.expression import F32, F64, Expression, Format
from hologram.lowering.expansions.hyperbolic import EXP2, two_to
from hologram.lowering.expansions.pairs import two_product


@dataclass(frozen=True)
class Erf:
    """What erf needs in one format."""

    near: float
    """Up to here it is a polynomial in x."""
    one: float
    """erf of it and of everything above rounds to 1."""
    p: tuple[float, ...]
    logarithm: tuple[float, ...]


# The polynomials minimise the error relative to erf: p to 2**-27.5 and 2**-56.1, logarithm to 2**-28.8 and 2**-56.0.
ERF: dict[Format, Erf] = {
    F32: Erf(
        near=0.8,
        one=3.95,
        p=(
            float.fromhex("0x1.06eba8p-3"),
            float.fromhex("-0x1.81272ep-2"),
            float.fromhex("0x1.ce2804p-4"),
            float.fromhex("-0x1.b76ea6p-6"),
            float.fromhex("0x1.4d427cp-8"),
            float.fromhex("-0x1.56a316p-11"),
        ),
        logarithm=(
            float.fromhex("0x1.aa4666p-13"),
            float.fromhex("-0x1.a119fap+0"),
            float.fromhex("-0x1.d41684p-1"),
            float.fromhex("-0x1.3ebf6cp-3"),
            float.fromhex("0x1.25bb58p-5"),
            float.fromhex("-0x1.80902cp-8"),
            float.fromhex("0x1.380b96p-11"),
            float.fromhex("-0x1.cfba14p-16"),
        ),
    ),
    F64: Erf(
        near=1.0,
        one=6.0,
        p=(
            float.fromhex("0x1.06eba8214db69p-3"),
            float.fromhex("-0x1.812746b0379e6p-2"),
            float.fromhex("0x1.ce2f21a042b21p-4"),
            float.fromhex("-0x1.b82ce312849a9p-6"),
            float.fromhex("0x1.565bcd0db043ep-8"),
            float.fromhex("-0x1.c02db3d8effabp-11"),
            float.fromhex("0x1.f9a321a15cba4p-14"),
            float.fromhex("-0x1.f4d1df3d02c6dp-17"),
            float.fromhex("0x1.b9def1c47f0a3p-20"),
            float.fromhex("-0x1.5f1d37cf89c96p-23"),
            float.fromhex("0x1.f7a41b9dc74aep-27"),
            float.fromhex("-0x1.386ad93d3fd3ap-30"),
            float.fromhex("0x1.0579e2546f5ddp-34"),
        ),
        logarithm=(
            float.fromhex("-0x1.29e6fdca69424p-25"),
            float.fromhex("-0x1.a0be7e7ae5a1bp+0"),
            float.fromhex("-0x1.d63f013c61398p-1"),
            float.fromhex("-0x1.2fa6ae33b003cp-3"),
            float.fromhex("0x1.c42154c41b55ep-6"),
            float.fromhex("0x1.330e32884ce08p-12"),
            float.fromhex("-0x1.3d03f3aa890b3p-9"),
            float.fromhex("0x1.a362f58f0456ap-11"),
            float.fromhex("0x1.e1e0ebc6f4abp-16"),
            float.fromhex("-0x1.4a6017f037d4fp-13"),
            float.fromhex("0x1.823c35cacef59p-14"),
            float.fromhex("-0x1.20a712cde8aedp-15"),
            float.fromhex("0x1.40e5de9017cfp-17"),
            float.fromhex("-0x1.1412af02ae86fp-19"),
            float.fromhex("0x1.71762fbc339a8p-22"),
            float.fromhex("-0x1.7b26701a00619p-25"),
            float.fromhex("0x1.20df2fce6ef3bp-28"),
            float.fromhex("-0x1.3418d8d064f12p-32"),
            float.fromhex("0x1.9a86806fdb43cp-37"),
            float.fromhex("-0x1.010c5d13936e4p-42"),
        ),
    ),
}


@dataclass(frozen=True)
class Gelu:
    """What gelu needs in one format."""

    end: float
    """gelu of minus this rounds to -0."""
    k: float
    g: tuple[float, ...]
    q: tuple[float, ...]
    """exp(r) = 1 + r + r * r * q(r)"""


GELU_NEAR = 0.65
"""Up to here gelu of f32 is a polynomial in x."""
# (phi(x) - 1/2) / x in x * x, to 2**-25.9 of phi.
PHI_F32 = (
    float.fromhex("0x1.988452p-2"),
    float.fromhex("-0x1.1057d4p-4"),
    float.fromhex("0x1.46b71p-7"),
    float.fromhex("-0x1.348de4p-10"),
    float.fromhex("0x1.a1b59p-14"),
)
# The polynomials minimise the relative error, of f32 above 0.6: 2**-24.5 and 2**-53.4; q of f32 2**-28.3.
GELU: dict[Format, Gelu] = {
    F32: Gelu(
        end=14.5,
        k=4.0,
        g=(
            float.fromhex("0x1.82b4bcp-1"),
            float.fromhex("-0x1.373e36p-1"),
            float.fromhex("0x1.8c6d82p-2"),
            float.fromhex("-0x1.7e01e2p-3"),
            float.fromhex("0x1.eee37ep-5"),
            float.fromhex("-0x1.eb11dcp-8"),
            float.fromhex("-0x1.d1855p-9"),
            float.fromhex("0x1.7e9c38p-10"),
            float.fromhex("0x1.f8fb82p-13"),
        ),
        q=(
            float.fromhex("0x1.fffffcp-2"),
            float.fromhex("0x1.555492p-3"),
            float.fromhex("0x1.5558f2p-5"),
            float.fromhex("0x1.1239f8p-7"),
            float.fromhex("0x1.6a2410p-10"),
        ),
    ),
    F64: Gelu(
        end=39.5,
        k=4.0,
        g=(
            float.fromhex("0x1.82b4bb8c94dcep-1"),
            float.fromhex("-0x1.373e3a893c28ap-1"),
            float.fromhex("0x1.8c6dbf2cfc2b5p-2"),
            float.fromhex("-0x1.7dff2bff6839cp-3"),
            float.fromhex("0x1.eec4cc3e4d153p-5"),
            float.fromhex("-0x1.ee2761047e5f6p-8"),
            float.fromhex("-0x1.c81719d52f3e1p-9"),
            float.fromhex("0x1.ab825fc0c723bp-10"),
            float.fromhex("0x1.17a4ae1eebcf5p-13"),
            float.fromhex("-0x1.e4a4256130163p-13"),
            float.fromhex("-0x1.001e358469d7dp-19"),
            float.fromhex("0x1.26d0988a46cbbp-15"),
            float.fromhex("0x1.80b02297f2839p-21"),
            float.fromhex("-0x1.8d4b0cd369925p-18"),
            float.fromhex("-0x1.51e08c306d64p-21"),
            float.fromhex("0x1.123668dc02a64p-20"),
            float.fromhex("0x1.232f0a0c7984p-22"),
            float.fromhex("-0x1.4ced5b0a6235ep-23"),
            float.fromhex("-0x1.6be7d6a370677p-24"),
            float.fromhex("0x1.ceaefcf2ef283p-27"),
            float.fromhex("0x1.49c47d18f5a1bp-26"),
            float.fromhex("0x1.df9e2e47a78a5p-30"),
            float.fromhex("-0x1.4ad55e4c15fe8p-29"),
            float.fromhex("-0x1.6e49ece41ccabp-31"),
        ),
        q=CONSTANTS[F64].q,
    ),
}


def erf(x: Expression) -> Expression:
    """The error function. Keeps -0; 1 and -1 at the infinities, NaN at NaN."""
    c = ERF[x.format]
    magnitude = abs(x)
    square = magnitude * magnitude
    near = magnitude.fma(square.horner(c.p), magnitude)
    # Bounded so that a NaN stays.
    logarithm = magnitude.gt(c.one).select(c.one, magnitude).horner(c.logarithm)
    magic = 1.5 * 2.0**x.format.mantissa
    shifted = logarithm + magic
    power = (logarithm - (shifted - magic)).horner((1.0, *EXP2[x.format]))
    far = power.fma(two_to(shifted, -1.0), 1.0)
    return magnitude.lt(c.near).select(near, far).copysign(x)


def gelu(x: Expression) -> Expression:
    """x * (1 + erf(x / sqrt 2)) / 2. Keeps -0; -0 at -inf, +inf at +inf, NaN at NaN; subnormals are not flushed."""
    c, e = GELU[x.format], CONSTANTS[x.format]
    magnitude = abs(x)
    t = magnitude.gt(c.end).select(c.end, magnitude)
    ratio = t / (t + c.k)
    density = ratio.fma(2.0, -1.0).horner(c.g)
    # exp(-t * t / 2) is 2**-n * (1 + growth), with twice the argument of exp in r.
    square = two_product(t, t)
    n, bits = nearest_integer(square.high, e.log2_e / 2)
    r = n.fma(-2 * e.ln2_high, square.high)
    r = n.fma(-2 * e.ln2_low, r) + square.low
    growth = r * r.horner((-0.5, *(q * (-0.5) ** (k + 2) for k, q in enumerate(c.q))))
    # 2**-n may be subnormal; with an offset it is not, nor is the product, and taking that back rounds once.
    offset = x.format.bias // 2
    exponent = x.integer(offset).int_sub(bits)
    tail = ratio * density.fma(growth, density)
    if x.format is F64:
        return x.lt(0.0).select(-0.0, x) - tail * power_of_two(exponent) * 2.0**-offset
    # Exponents add up where neither is near its end, as here it is only near 0.
    tail = tail.to_bits().int_add(exponent.shift_left(x.format.mantissa)).from_bits() * 2.0**-offset
    far = x.lt(0.0).select(-0.0, x) - tail
    near = x * x.fma(square.high.horner(PHI_F32), 0.5)
    return magnitude.lt(GELU_NEAR).select(near, far)
