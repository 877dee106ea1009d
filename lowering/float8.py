"""Floats of 8 bits below the atlas level: values are bytes, and integer operations convert them.

f8E5M2 is the upper byte of an f16. f8E4M3FN has one digit more, its exponents lie 8 lower, and it has no infinities:
only the greatest pattern of either sign is no number. (Micikevicius et al., FP8 formats for deep learning, 2022.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float8E4M3FNType, Float8E5M2Type, MemRefType, i8
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import arith as ours
from hologram.dialects.atlas.types import DType
from hologram.lowering.core_builder import Core, f16, f32, i16, i32


@dataclass(frozen=True)
class _Format:
    """What the conversions need to know: digits behind the point, the least normal exponent, patterns of 7 bits."""

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
    """Whether it is a scalar type of these."""
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
        return core.widen(core.bits(core(arith.ShLIOp(word, core.constant(8, i16))), f16), f32)
    magnitude = core.both(word, core.constant(0x7F, i16))
    sign = core(arith.ShLIOp(core.both(word, core.constant(0x80, i16)), core.constant(8, i16)))
    half = core.either(sign, core(arith.ShLIOp(magnitude, core.constant(7, i16))))
    scaled = core(arith.MulfOp(core.widen(core.bits(half, f16), f32), core.constant(256.0, f32)))
    is_nan = core.compare("eq", magnitude, core.constant(0x7F, i16))
    return core.select(is_nan, core.constant(float("nan"), f32), scaled)


def narrowed(core: Core, target: DType, a: SSAValue) -> SSAValue:
    """The byte of an f32 rounded to nearest even."""
    form = _FORMATS[target.name]
    pattern = core.bits(a, i32)
    magnitude = core.both(pattern, core.constant(0x7FFFFFFF, i32))
    least = core.constant((127 + form.least) << 23, i32)
    small = core.compare("ult", magnitude, least)
    found = core.select(small, _subnormal(core, form, magnitude), _normal(core, form, magnitude))
    past = core.compare("ugt", found, core.constant(form.greatest, i32))
    found = core.select(past, core.constant(form.overflow, i32), found)
    is_nan = core.compare("ugt", magnitude, core.constant(0x7F800000, i32))
    found = core.select(is_nan, core.constant(form.nan, i32), found)
    sign = core.both(core(arith.ShRUIOp(pattern, core.constant(24, i32))), core.constant(0x80, i32))
    return core(ours.TruncIOp(core.either(found, sign), i8))  # pyright: ignore[reportArgumentType]


def _normal(core: Core, form: _Format, magnitude: SSAValue) -> SSAValue:
    """Half a unit of what stays, less one where that part is even, carries exactly where rounding goes up."""
    shift = core.constant(23 - form.digits, i32)
    last = core.both(core(arith.ShRUIOp(magnitude, shift)), core.constant(1, i32))
    half = core.constant((1 << (22 - form.digits)) - 1, i32)
    up = core(arith.AddiOp(core(arith.AddiOp(magnitude, half)), last))
    # The exponent's bias changes from 127 to that of the format, which is 1 - least.
    bias = core.constant((127 - (1 - form.least)) << form.digits, i32)
    return core(arith.SubiOp(core(arith.ShRUIOp(up, shift)), bias))


def _subnormal(core: Core, form: _Format, magnitude: SSAValue) -> SSAValue:
    """A number whose last digit is the format's least unit: adding it rounds to multiples of that."""
    magic = core.constant(2.0 ** (form.least - form.digits + 23), f32)
    total = core(arith.AddfOp(core.bits(magnitude, f32), magic))
    return core(arith.SubiOp(core.bits(total, i32), core.bits(magic, i32)))


__all__ = ["byte_type", "held_float8", "is_float8", "narrowed", "widened"]
