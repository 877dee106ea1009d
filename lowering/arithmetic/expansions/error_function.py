"""The error function and the Gaussian error linear unit.

erf of f32 is a polynomial an interval (`tables`). In f64 it is x + x * p(x * x) near 0, and 1 - 2**l(x) elsewhere, with
a polynomial l for log2(erfc(x)): what an error of l adds is scaled down by erfc.

gelu is max(x, 0) - |x| * phi(-|x|), with the distribution function phi of the normal distribution. In f32 phi(-t) is a
polynomial an interval (`tables`) for t up to 5.4, and 0 beyond, where it is below 2**-25. Where tables are slow it is
half the square of 1 - t / 2 + t * q(t) with one polynomial q: a square root varies less. In f64 phi(-t) is
exp(-t * t / 2) * g(v) / (t + k), where g hardly varies; as v = (t - k) / (t + k) runs over a bounded range, a
polynomial does for g (M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x**2) erfc x", Math.
Comp. 36, 1981). t * t is kept in two floats, so that the left tail keeps its digits.
"""

from __future__ import annotations

from hologram.lowering.arithmetic.expansions.exponential import CONSTANTS, nearest_integer, power_of_two
from hologram.lowering.arithmetic.expansions.expression import F32, F64, Expression, two_product
from hologram.lowering.arithmetic.expansions.tables import Table, floats

ERF_WIDTH, ERF_ONE = 17 / 64, {F32: 3.95, F64: 6.0}
"""Intervals of f32 lie around the multiples of the width. erf of the second and of everything above rounds to 1."""
# Relative to erf to 2**-24.3. Each line: a centre c, and the coefficients in x - c from the constant one on.
ERF_F32 = Table(
    "erf_f32",
    """
    00000000 00000000 3f906ebb b71486b6 bec06281 bbd4f914 3e266be2 be11b1f1
    3e88017a 3e95ee7b 3f86979e be8f02a3 be9a20ff 3e084459 3d9b20cf bd298a42
    3f07fd4d 3f0c2887 3f59d7ef bee770d7 bdfd113f 3e3be7e8 bae665ae bd46f875
    3f4bfbaa 3f3d7d94 3f191831 bef3f95f 3d5c48d2 3e0cb620 bd7350ee bcab1284
    3f87ffc8 3f5df75f 3ebad53b bec6823c 3e1ca948 3d44719e bd870a17 3c2d606d
    3fa9ff14 3f708cc4 3e460763 be838032 3e26d9ff bcb901b8 bd1712df 3cb4f963
    3fcbfbf0 3f79cd28 3db651a3 be11462a 3df7e9a7 bd495f4a bba861b7 3c808342
    3fedff08 3f7dcf9e 3d11acfa bd876e45 3d8f994d bd30b4bb 3c326647 3b995ddc
    4007ff3a 3f7f5207 3c4a3b89 bcd6ddf7 3d0757f2 bcd801cc 3c4bcfb8 bad87ea9
    401902fc 3f7fd0b0 3b7383d4 bc118c73 3c53b15a bc4c9f77 3c04364b bb3fcd89
    402a01c5 3f7ff4b7 3a7efb77 bb29555e 3b8b4de1 bb9caaa4 3b7b05e8 bb128a32
    403affb6 3f7ffda5 3967f086 ba296e14 3a9b5438 bac654c2 3abb9357 ba8c94bb
    404bfda8 3f7fff92 38373c98 b911f4b4 399376b5 b9d5c46a 39e3d83b b9296c1a
    405d4074 3f7fffef 36f43fe4 b7d38940 386931cb b8ab7684 38da7056 b9980c02
    406f9a84 3f7ffffe 3577c647 b66a92bf 370c8b78 b736a6d6 37935e79 b8e3b08c
    40754bee 3f7fffff 35024054 b626c6a2 37a81683 b94c4310 3a950032 bb30defb
    """,
)
ERF_NEAR = 1.0
"""Up to here erf of f64 is a polynomial in x."""
# p and l of f64; they minimise the error relative to erf: 2**-56.1 and 2**-56.0.
ERF_P = floats(
    "0x1.06eba8214db69p-3 -0x1.812746b0379e6p-2 0x1.ce2f21a042b21p-4 -0x1.b82ce312849a9p-6 0x1.565bcd0db043ep-8 "
    "-0x1.c02db3d8effabp-11 0x1.f9a321a15cba4p-14 -0x1.f4d1df3d02c6dp-17 0x1.b9def1c47f0a3p-20 "
    "-0x1.5f1d37cf89c96p-23 0x1.f7a41b9dc74aep-27 -0x1.386ad93d3fd3ap-30 0x1.0579e2546f5ddp-34"
)
ERF_LOGARITHM = floats(
    "-0x1.29e6fdca69424p-25 -0x1.a0be7e7ae5a1bp+0 -0x1.d63f013c61398p-1 -0x1.2fa6ae33b003cp-3 0x1.c42154c41b55ep-6 "
    "0x1.330e32884ce08p-12 -0x1.3d03f3aa890b3p-9 0x1.a362f58f0456ap-11 0x1.e1e0ebc6f4abp-16 -0x1.4a6017f037d4fp-13 "
    "0x1.823c35cacef59p-14 -0x1.20a712cde8aedp-15 0x1.40e5de9017cfp-17 -0x1.1412af02ae86fp-19 "
    "0x1.71762fbc339a8p-22 -0x1.7b26701a00619p-25 0x1.20df2fce6ef3bp-28 -0x1.3418d8d064f12p-32 "
    "0x1.9a86806fdb43cp-37 -0x1.010c5d13936e4p-42"
)
# (2**f - 1) / f for |f| at most 1/2, relative to 2**f: 2**-55.6.
EXP2 = floats(
    "0x1.62e42fefa39efp-1 0x1.ebfbdff82c5a5p-3 0x1.c6b08d704a0d7p-5 0x1.3b2ab6fb9fdd4p-7 0x1.5d87fe78a0b97p-10 "
    "0x1.4309130f8f854p-13 0x1.ffcbfc7d2ccb6p-17 0x1.62bfc5b6131p-20 0x1.b524cbedec06p-24 0x1.e61ebf07dc933p-28 "
    "0x1.ea1b587aab3bep-32"
)
GELU_WIDTH, GELU_END = 0.375, 15 * 0.375
"""Intervals of f32 lie around the multiples of the width; phi(-t) counts as 0 in the last one, and from its middle on
all is as there."""
# phi(-t), relative to it to 2**-23.7. Each line: a centre c, and the coefficients in t - c from the constant one on.
GELU_F32 = Table(
    "gelu_f32",
    """
    00000000 3f000000 becc422a 35773322 3d881df3 39c7b115 bc512c47 3c2849ed bc61e528
    3edebb06 3ea9de3f beb9d143 3da1ab38 3d48df2e bc9775ee bbbcc94b 3b380e33 3a05c4ef
    3f4f5c16 3e55fc57 be93220d 3dee5aeb 3c86ef1a bcba38e3 3a9d2dbb 3b38b744 b9e0533c
    3f97ab55 3df1b740 be4a749c 3defe48f bc5a216e bc7f42b7 3bbab0e3 3a84d48b ba431466
    3fc7ad73 3d733ac4 bdf1fe50 3dbcc0a6 bce7455e bb8e8f4f 3bb73588 ba66efad ba0cfbda
    3ff7a973 3cd91e8a bd7b62c0 3d7332ac bce5e836 3b712977 3b36a07d bab707ad b791129b
    4013d411 3c2b32b6 bce2dccc 3d0300b7 bca3eafb 3bcbf3b3 3903dae8 ba66ff88 398a0912
    402bdc4e 3b6d6ff1 bc319ebb 3c6e7bc3 bc37dd69 3ba75f6f ba8af8d3 b9580f73 396a2588
    4043da28 3a90f69c bb7205fc 3bb928ce bba8b4a7 3b446a1c ba8b412c 39159120 38aa869b
    405bdad0 399b33d7 ba8f3030 3af5f13a bb00e109 3ab45f11 ba2a8fb7 3946db1c b6fff73f
    4073d6ce 3891b9c8 b9935b8f 3a0c5b8e ba25f93d 3a06b237 b99b7e38 38fb4c2d b7fae4b3
    4085f2f8 376e424a b88322c9 39093b10 b9348d0a 3926128b b8dfc9d2 385fc343 b7afab18
    4091ebc8 362b9df4 b74c4fe0 37e8ead3 b82881cd 382cb159 b8040ee9 379aecc2 b71e47d5
    409deda9 34d6dd81 b6099e5d 36a9cbbe b705eeec 37171af1 b700c745 36abed91 b65655a4
    40a9f054 336aa954 b4a0f607 3555b301 b5b67221 35e06db8 b5d24805 359cbaca b5656899
    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
    """,
)
ROOT_END = 5.43
"""Where phi(-t) counts as 0 if there is no table."""
# (The square root of 2 * phi(-t), less 1 - t / 2) / t.
GELU_ROOT = floats(
    "0x1.9dee16p-4 -0x1.45e7b0p-4 0x1.1c0ce6p-5 0x1.65c39ep-7 -0x1.b902cap-9 -0x1.b8ed00p-12 -0x1.8a9944p-13 "
    "0x1.18f1a6p-12 -0x1.6b2d2ep-14 0x1.c5dad0p-17 -0x1.21a8e0p-20 0x1.30fea6p-25"
)
MILLS_END, MILLS_K = 39.5, 4.0
"""gelu of f64 of minus the first rounds to -0; the second is the k of the formula."""
# g of f64, relative to 2**-53.4.
MILLS = floats(
    "0x1.82b4bb8c94dcep-1 -0x1.373e3a893c28ap-1 0x1.8c6dbf2cfc2b5p-2 -0x1.7dff2bff6839cp-3 0x1.eec4cc3e4d153p-5 "
    "-0x1.ee2761047e5f6p-8 -0x1.c81719d52f3e1p-9 0x1.ab825fc0c723bp-10 0x1.17a4ae1eebcf5p-13 "
    "-0x1.e4a4256130163p-13 -0x1.001e358469d7dp-19 0x1.26d0988a46cbbp-15 0x1.80b02297f2839p-21 "
    "-0x1.8d4b0cd369925p-18 -0x1.51e08c306d64p-21 0x1.123668dc02a64p-20 0x1.232f0a0c7984p-22 "
    "-0x1.4ced5b0a6235ep-23 -0x1.6be7d6a370677p-24 0x1.ceaefcf2ef283p-27 0x1.49c47d18f5a1bp-26 "
    "0x1.df9e2e47a78a5p-30 -0x1.4ad55e4c15fe8p-29 -0x1.6e49ece41ccabp-31"
)


def erf(x: Expression) -> Expression:
    """The error function. Keeps -0; 1 and -1 at the infinities, NaN at NaN."""
    magnitude = abs(x)
    one = ERF_ONE[x.format]
    # Bounded so that a NaN stays.
    bounded = magnitude.gt(one).select(one, magnitude)
    return (_erf_by_interval(bounded) if x.format is F32 else _erf_by_logarithm(bounded)).copysign(x)


def _erf_by_interval(x: Expression) -> Expression:
    """c0 + (c1 * t + t * t * p(t)) with t = x - c; in the first interval c and c0 are 0."""
    c, c0, c1, *p = x.emitter.lookup(ERF_F32, _nearest_multiple(x, ERF_WIDTH))
    t = x - c
    return t.fma(c1, t * t * t.horner(p)) + c0


def _erf_by_logarithm(x: Expression) -> Expression:
    """x + x * p(x * x) near 0, else 1 - 2**l(x)."""
    near = x.fma((x * x).horner(ERF_P), x)
    logarithm = x.horner(ERF_LOGARITHM)
    magic = 1.5 * 2.0**x.format.mantissa
    shifted = logarithm + magic
    power = (logarithm - (shifted - magic)).horner((1.0, *EXP2))
    # What is above the lowest bits, which are n, is shifted out: -2**n.
    minus_one = (x.format.bias << x.format.mantissa) - (1 << (x.format.integer.width.data - 1))
    scale = (shifted.to_bits().shl(x.format.mantissa) + minus_one).from_bits()
    return x.lt(ERF_NEAR).select(near, power.fma(scale, 1.0))


def _nearest_multiple(x: Expression, width: float) -> Expression:
    """An integer whose lowest bits say which multiple of `width` is nearest to x."""
    return x.fma(1 / width, 1.5 * 2.0**x.format.mantissa).to_bits()


def gelu(x: Expression) -> Expression:
    """x * (1 + erf(x / sqrt 2)) / 2. Keeps -0; -0 at -inf, +inf at +inf, NaN at NaN; subnormals are not flushed."""
    if x.format is not F32:
        return _gelu_by_mills(x)
    return _gelu_by_interval(x) if x.emitter.looks_up else _gelu_by_square(x)


def _gelu_by_interval(x: Expression) -> Expression:
    """max(x, 0) - |x| * phi(-|x|), with phi by its table."""
    magnitude = abs(x)
    t = magnitude.gt(GELU_END).select(GELU_END, magnitude)
    c, *phi = x.emitter.lookup(GELU_F32, _nearest_multiple(t, GELU_WIDTH))
    return (-t).fma((t - c).horner(phi), x.lt(0.0).select(-0.0, x))


def _gelu_by_square(x: Expression) -> Expression:
    """max(x, 0) - |x| * phi(-|x|), with phi as half a square."""
    t = abs(x)
    half = t * 0.5
    line, curve = 1.0 - half, t * t.horner(GELU_ROOT)
    root = line + curve
    # What both sums lost counts twice.
    lost = (curve - (root - line)) + ((1.0 - line) - half)
    tail = half * (root * (root + (lost + lost)))
    # As integers without a sign numbers below 0 are above -0, and so are NaNs, of which the tail is one too.
    return x.to_bits().min_unsigned(-(2**31)).from_bits() - t.ge(ROOT_END).select(0.0, tail)


def _gelu_by_mills(x: Expression) -> Expression:
    """max(x, 0) - |x| * phi(-|x|), with phi by its ratio to the density."""
    e = CONSTANTS[x.format]
    magnitude = abs(x)
    t = magnitude.gt(MILLS_END).select(MILLS_END, magnitude)
    ratio = t / (t + MILLS_K)
    density = ratio.fma(2.0, -1.0).horner(MILLS)
    # exp(-t * t / 2) is 2**-n * (1 + growth), with twice the argument of exp in r.
    square = two_product(t, t)
    n, bits = nearest_integer(square.high, e.log2_e / 2)
    r = n.fma(-2 * e.ln2_high, square.high)
    r = n.fma(-2 * e.ln2_low, r) + square.low
    growth = r * r.horner((-0.5, *(q * (-0.5) ** (k + 2) for k, q in enumerate(e.q))))
    # 2**-n may be subnormal; with an offset it is not, nor is the product, and taking that back rounds once.
    offset = x.format.bias // 2
    tail = ratio * density.fma(growth, density)
    return x.lt(0.0).select(-0.0, x) - tail * power_of_two(x.integer(offset) - bits) * 2.0**-offset
