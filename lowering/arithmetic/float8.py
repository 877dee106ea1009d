"""Floats of 8 bits below the atlas level: values are bytes, and integer operations convert them.

f8E5M2 is the upper byte of an f16. f8E4M3FN has one digit more, its exponents lie 8 lower, and it has no infinities:
only the greatest pattern of either sign is no number. (Micikevicius et al., FP8 formats for deep learning, 2022.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import Float8E4M3FNType, Float8E5M2Type, MemRefType, i8
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import arith as ours
from hologram.dialects.atlas.instructions.types import DType
from hologram.lowering.rewriting.core_builder import Core, f16, f32, i16, i32


@dataclass(frozen=True)
class _Format:
    """A float format of 8 bits: digits behind the point, the least normal exponent, patterns of 7 bits."""

    digits: int
    least: int
    greatest: int
    """The greatest finite number."""
    overflow: int
    """What is given past it."""
    nan: int


_FORMATS = {
    "f8E4M3FN": _Format(3, -6, 0x7E, 0x7F, 0x7F),
    "f8E5M2": _Format(2, -14, 0x7B, 0x7C, 0x7E),
}


def is_float8(type: Attribute) -> bool:
    """Return whether it is a scalar type of these."""
    return isinstance(type, Float8E4M3FNType | Float8E5M2Type)


def held_float8(type: Attribute) -> str:
    """The name of the float type of 8 bits that a scalar or a memref holds; empty if it holds another."""
    element = cast("MemRefType[Attribute]", type).element_type if isinstance(type, MemRefType) else type
    return element.name if is_float8(element) else ""


def byte_type(type: Attribute) -> Sequence[Attribute] | None:
    """Scalars and memrefs of these types are bytes."""
    if is_float8(type):
        return [i8]
    if held_float8(type):
        memref = cast("MemRefType[Attribute]", type)
        return [MemRefType(i8, memref.shape, memref.layout, memref.memory_space)]
    return None


def widened(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """The f32 of a byte; exact."""
    word = core.resize(a, i16, signed=False)
    if source.name == "f8E5M2":
        return core.widen(core.bits(core.shl(word, 8), f16), f32)
    magnitude = core.both(word, 0x7F)
    sign = core.shl(core.both(word, 0x80), 8)
    half = core.either(sign, core.shl(magnitude, 7))
    scaled = core.mul(core.widen(core.bits(half, f16), f32), 256.0)
    is_nan = core.compare("eq", magnitude, 0x7F)
    return core.select(is_nan, float("nan"), scaled)


def narrowed(core: Core, target: DType, a: SSAValue) -> SSAValue:
    """The byte of an f32 rounded to nearest even."""
    form = _FORMATS[target.name]
    pattern = core.bits(a, i32)
    magnitude = core.both(pattern, 0x7FFFFFFF)
    least = core.constant((127 + form.least) << 23, i32)
    small = core.compare("ult", magnitude, least)
    rounded = core.select(small, _subnormal(core, form, magnitude), _normal(core, form, magnitude))
    past = core.compare("ugt", rounded, form.greatest)
    rounded = core.select(past, form.overflow, rounded)
    is_nan = core.compare("ugt", magnitude, 0x7F800000)
    rounded = core.select(is_nan, form.nan, rounded)
    sign = core.both(core.shr(pattern, 24), 0x80)
    return core.op(ours.TruncIOp(core.either(rounded, sign), i8))  # pyright: ignore[reportArgumentType]


def _normal(core: Core, form: _Format, magnitude: SSAValue) -> SSAValue:
    """Half a unit of what stays, less one where that part is even, carries exactly where rounding goes up."""
    shift = core.constant(23 - form.digits, i32)
    last = core.both(core.shr(magnitude, shift), 1)
    half = core.constant((1 << (22 - form.digits)) - 1, i32)
    up = core.add(core.add(magnitude, half), last)
    # The exponent's bias changes from 127 to that of the format, which is 1 - least.
    bias = core.constant((127 - (1 - form.least)) << form.digits, i32)
    return core.sub(core.shr(up, shift), bias)


def _subnormal(core: Core, form: _Format, magnitude: SSAValue) -> SSAValue:
    """A number whose last digit is the format's least unit: adding it rounds to multiples of that."""
    magic = core.constant(2.0 ** (form.least - form.digits + 23), f32)
    total = core.add(core.bits(magnitude, f32), magic)
    return core.sub(core.bits(total, i32), core.bits(magic, i32))
