"""The words that WGSL keeps for itself, and functions that its kernels need."""

from __future__ import annotations

RESERVED = frozenset(
    "alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let"
    " loop override requires return struct switch true var while NULL Self abstract active alignas alignof as asm"
    " asm_fragment async attribute auto await become cast catch class co_await co_return co_yield coherent"
    " column_major common compile compile_fragment concept const_cast consteval constexpr constinit crate debugger"
    " decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough"
    " filter final finally friend from fxgroup get goto groupshared highp impl implements import inline instanceof"
    " interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept"
    " noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset"
    " partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless"
    " register reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert"
    " static_cast std subroutine super target template this thread_local throw trait try type typedef typeid typename"
    " typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield"
    " abs acos all any array asin atan atomic bitcast bool ceil clamp cos cross degrees dot exp exp2 f16 f32 f64 floor"
    " fma fract i32 i64 length log log2 max min mix normalize pow ptr radians reflect round sampler select sign sin"
    " smoothstep sqrt step tan texture trunc u32 u64 vec2 vec3 vec4 mat2x2 distance ldexp modf frexp saturate"
    " thread_id block_id part_id grid_dim block_x block_y block_z hidden u16 i16 in inout out".split()
)

ZERO = {
    "oeq": "({0} << 1u) == 0u",
    "une": "({0} << 1u) != 0u",
    "olt": "({0} - 0x80000001u) < 0x7f800000u",
    "ole": "({0} - 0x80000000u) <= 0x7f800000u || {0} == 0u",
    "ogt": "({0} - 1u) < 0x7f800000u",
    "oge": "{0} <= 0x7f800000u || {0} == 0x80000000u",
}
"""Comparisons of a float of 32 bits with zero, by its bits."""

HELPERS = {
    "signed_index": """\
// An integer that is too great for an index becomes the greatest one, which no size exceeds.
fn signed_index(a: u64) -> u32
{
    let index = u32(a & 0xfffffffflu);
    return select(0x7fffffffu, index, bitcast<u64>(i64(bitcast<i32>(index))) == a);
}""",
    "unsigned_index": """\
// An integer that is too great for an index becomes the greatest one, which no size exceeds.
fn unsigned_index(a: u64) -> u32
{
    return select(0x7fffffffu, u32(a & 0xfffffffflu), a <= 0xfffffffflu);
}""",
    "leading_zeros_64": """\
fn leading_zeros_64(a: u64) -> u64
{
    let high = u32(a >> 32u);
    return u64(select(countLeadingZeros(high), 32u + countLeadingZeros(u32(a & 0xfffffffflu)), high == 0u));
}""",
    "trailing_zeros_64": """\
fn trailing_zeros_64(a: u64) -> u64
{
    let low = u32(a & 0xfffffffflu);
    return u64(select(countTrailingZeros(low), 32u + countTrailingZeros(u32(a >> 32u)), low == 0u));
}""",
    "ones_64": """\
fn ones_64(a: u64) -> u64
{
    return u64(countOneBits(u32(a & 0xfffffffflu)) + countOneBits(u32(a >> 32u)));
}""",
    "high_product": """\
fn high_product(a: u32, b: u32) -> u32
{
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}""",
    "high_product_64": """\
fn high_product_64(a: u64, b: u64) -> u64
{
    let low = (a & 0xfffffffflu) * (b & 0xfffffffflu);
    let middle = (a >> 32u) * (b & 0xfffffffflu) + (low >> 32u);
    let other = (a & 0xfffffffflu) * (b >> 32u) + (middle & 0xfffffffflu);
    return (a >> 32u) * (b >> 32u) + (middle >> 32u) + (other >> 32u);
}""",
    "rough_quotient": """\
fn rough_quotient(a: f32, b: f32) -> f32
{
    // The reciprocal of a great divisor is subnormal, and may be flushed to zero.
    let scale = select(1.0f, 0x1p-32f, abs(b) > 0x1p+96f);
    return (a * scale) / (b * scale);
}""",
    "quotient": """\
// One step from the device's quotient, whose last places may be wrong.
fn quotient(a: f32, b: f32) -> f32
{
    // The reciprocal of a great divisor is subnormal, and may be flushed to zero.
    let scale = select(1.0f, 0x1p-32f, abs(b) > 0x1p+96f);
    let x = a * scale;
    let y = b * scale;
    let rough = x / y;
    let better = fma(fma(-rough, y, x), 1.0f / y, rough);
    // Zeros, infinities and NaN are right already.
    return select(rough, better, abs(better) > 0.0f && abs(better) <= 0x1.fffffep+127f);
}""",
    "square_root": """\
// One step of Newton's method from the device's root, whose last places may be wrong.
fn square_root(x: f32) -> f32
{
    let small = x < 0x1p-60f;
    let a = select(x, x * 0x1p+64f, small);
    let root = sqrt(a);
    let better = fma(fma(-root, root, a), 0.5f / root, root);
    // Zeros, infinity and NaN are right already.
    let found = select(root, better, a > 0.0f && root < 0x1p+65f);
    return select(found, found * 0x1p-32f, small);
}""",
    "trap": """\
fn {name}({given})
{{
    // The first lane that traps writes the record. The number of the site fits in the lower half of the first word.
    loop {{
        let claim = atomicCompareExchangeWeak(&{place}[0], 0u, v0 + 1u);
        if (claim.exchanged) {{ break; }}
        if (claim.old_value != 0u) {{ return; }}
    }}
{stores}
}}""",
}
"""Functions that a module has where it needs them."""
