"""Memory in WGSL: elements of 8 and 16 bits share words of 32, and buffers that are joined are words too.

A store changes its own bits of the word with an atomic operation, so that no lane's store is lost. The words that WGSL
keeps for itself, and functions that its kernels need, are here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hologram.lowering.targets.text.language import Code, Language, Parameter

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


NARROW = {"i8": 8, "i16": 16}


@dataclass
class WordMemory(Language):
    """Loads, stores and places of atomic operations."""

    def _words(self, p: Code, buffer: SSAValue, kind: str) -> int:
        """The bits of an element if several share a word, else 0."""
        q = p.parameters.get(buffer)
        return 0 if q is None or q.space != "global" else self.packed(kind)

    def packed(self, kind: str) -> int:
        return 0 if self.native(kind) and kind not in ("i1", *NARROW) else max(self.bits(kind), 8)

    def has_wide_atomics(self, p: Code, buffer: SSAValue | None) -> bool:
        q = None if buffer is None else p.parameters.get(buffer)
        return super().has_wide_atomics(p, buffer) and (q is None or q.bytes_before is None)

    def place(self, p: Code, buffer: SSAValue, index: str) -> str:
        q = p.parameters.get(buffer)
        name = p.value(buffer)
        if q is None or q.bytes_before is None:
            return self.element(name, index)
        return f"{name}[{self._view_place(q, name, index)[0]}]"

    def load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        q = p.parameters.get(buffer)
        name, bits = p.value(buffer), self._words(p, buffer, kind)
        if q is not None and q.bytes_before is not None:
            return self._load_view(q, name, index)
        if not bits:
            if q is not None and q.atomic:
                return self.reinterpret(f"atomicLoad(&{name}[{index}])", f"i{self.bits(kind)}", kind)
            return f"({name}[{index}] != 0u)" if self.is_shared_truth(q) else f"{name}[{index}]"
        word, shift = self._place(name, index, bits)
        assert q is not None
        whole = f"atomicLoad(&{word})" if q.written else word
        value = f"({whole} >> {shift}) & {hex((1 << bits) - 1)}u"
        return f"({value}) != 0u" if kind == "i1" else value

    @staticmethod
    def is_shared_truth(q: Parameter | None) -> bool:
        """Return whether an array of the block holds truth values, kept as words: lanes lose bools on NVIDIA."""
        return q is not None and q.space == "workgroup" and q.kind == "i1"

    def _place(self, name: str, index: str, bits: int) -> tuple[str, str]:
        """The word of an element, and by how much it is shifted there."""
        lanes = 32 // bits
        return f"{name}[{index} / {lanes}u]", f"({index} % {lanes}u * {bits}u)"

    def store(self, p: Code, buffer: SSAValue, kind: str, index: str, value: str) -> list[str]:
        q = p.parameters.get(buffer)
        name, bits = p.value(buffer), self._words(p, buffer, kind)
        if q is not None and q.bytes_before is not None:
            return self._store_view(q, name, index, value)
        if not bits:
            if q is not None and q.atomic:
                bits_of_value = self.reinterpret(value, kind, f"i{self.bits(kind)}")
                return [f"atomicStore(&{name}[{index}], {bits_of_value});"]
            return [f"{name}[{index}] = {self.choose(value, '1u', '0u') if self.is_shared_truth(q) else value};"]
        word, shift = self._place(name, index, bits)
        value = self.choose(value, "1u", "0u") if kind == "i1" else value
        return [self._change(word, shift, bits, value)]

    def _view_place(self, q: Parameter, name: str, index: str) -> tuple[str, str, int]:
        """The word of an element of a view, by how much it is shifted there, and its bits. Elements are aligned."""
        bits = max(self.bits(q.kind), 8)
        at = f"({q.bytes_before} + {index} * {bits // 8}u)"
        return f"{at} / 4u", f"({at} % 4u * 8u)", bits

    def _load_view(self, q: Parameter, name: str, index: str) -> str:
        place, shift, bits = self._view_place(q, name, index)

        def word(n: int) -> str:
            where = f"{name}[{place}{f' + {n}u' if n else ''}]"
            return f"atomicLoad(&{where})" if q.written or q.atomic else where

        if bits == 64:
            whole = f"(u64({word(0)}) | (u64({word(1)}) << 32u))"
            return self.reinterpret(whole, "i64", q.kind)
        if bits == 32:
            return self.reinterpret(word(0), "i32", q.kind)
        value = f"({word(0)} >> {shift}) & {hex((1 << bits) - 1)}u"
        return f"({value}) != 0u" if q.kind == "i1" else self.reinterpret(f"({value})", "i16", q.kind)

    def _store_view(self, q: Parameter, name: str, index: str, value: str) -> list[str]:
        place, shift, bits = self._view_place(q, name, index)
        if bits == 64:
            value = self.reinterpret(value, q.kind, "i64")
            return [
                f"atomicStore(&{name}[{place}], u32({value} & 0xfffffffflu));",
                f"atomicStore(&{name}[{place} + 1u], u32({value} >> 32u));",
            ]
        if bits == 32:
            return [f"atomicStore(&{name}[{place}], {self.reinterpret(value, q.kind, 'i32')});"]
        value = self.choose(value, "1u", "0u") if q.kind == "i1" else self.reinterpret(value, q.kind, "i16")
        return [self._change(f"{name}[{place}]", shift, bits, value)]

    def _change(self, word: str, shift: str, bits: int, value: str) -> str:
        """Exclusive or with what differs: other lanes' bits of the word stay, whatever they become meanwhile."""
        mask = f"{hex((1 << bits) - 1)}u"
        return f"atomicXor(&{word}, ((((atomicLoad(&{word}) >> {shift}) ^ {value}) & {mask}) << {shift}));"

    def atomic_load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        return f"atomicLoad(&{self.place(p, buffer, index)})"


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
    "round_64": """\
// To nearest by a sum that leaves no bits for a fraction: Mesa's function takes 1.5 for 1 on processors without AVX2.
fn round_64(a: f64) -> f64
{
    let size = abs(a);
    let sum = bitcast<f64>(bitcast<u64>(size + 4503599627370496.0lf) ^ u64(hidden));
    let whole = bitcast<u64>(sum - 4503599627370496.0lf) | (bitcast<u64>(a) & 0x8000000000000000lu);
    return select(a, bitcast<f64>(whole), size < 4503599627370496.0lf);
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
