"""Constants of the machine form: the bits of a value, its attribute and its text."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType

from hologram.dialects.atlas.instructions.types import DType

_HEX = re.compile(r"0[xX][0-9a-fA-F]+$")
_INTEGER = re.compile(r"(-?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(\d+))$")
_DECIMAL = re.compile(r"-?\d+(?:\.\d*)?(?:[eE]([-+]?\d+))?$")
_LONGEST = 4200
"""The most characters of a constant: Python refuses to read longer ones, and none needs as many."""
_LARGEST_EXPONENT = 5000
"""Decimal exponents beyond are infinity or zero in every float type, and too costly to be computed exactly."""


def constant_attribute(bits: int, dtype: DType) -> FloatAttr[AnyFloat] | IntegerAttr[IntegerType]:
    """The attribute of a value with this bit pattern (unsigned)."""
    if not dtype.is_float:
        return IntegerAttr(bits, IntegerType(dtype.bits), truncate_bits=True)
    return FloatAttr(_value(bits, dtype), cast("AnyFloat", dtype.ir))


def constant_bits(attr: Any, dtype: DType) -> int:
    """The bit pattern of a constant attribute, unsigned."""
    if not dtype.is_float:
        return attr.value.data & ((1 << dtype.bits) - 1)
    return _bits(attr.value.data, dtype)


def _value(bits: int, dtype: DType) -> float:
    type = cast("AnyFloat", dtype.ir)
    return next(type.iter_unpack(bits.to_bytes(type.compile_time_size, "little")))


def _bits(value: float, dtype: DType) -> int:
    type = cast("AnyFloat", dtype.ir)
    try:
        return int.from_bytes(type.pack((value,)), "little")
    except OverflowError:
        return int.from_bytes(type.pack((math.copysign(math.inf, value),)), "little")


def constant_text(bits: int, dtype: DType) -> str:
    """The canonical text of a constant: the shortest decimal that reads back to it; NaNs but the usual one as bits."""
    if dtype.kind == "bool":
        return "true" if bits else "false"
    if not dtype.is_float:
        return str(bits - (1 << dtype.bits) if dtype.kind == "signed" and bits >> (dtype.bits - 1) else bits)
    value = _value(bits, dtype)
    if math.isnan(value):
        return "nan" if bits == _bits(math.nan, dtype) else f"{bits:#0{2 + dtype.bits // 4}x}"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    texts = (repr(float(f"{value:.{digits}g}")) for digits in range(1, 17))
    return next((text for text in texts if _parse_float(text, dtype) == bits), repr(value))


def parse_constant(text: str, dtype: DType) -> int | None:
    """The bits of a constant's text; None if it is none of the type, or does not fit.

    For a float type a hexadecimal integer is a bit pattern; a decimal rounds to nearest even, once.
    """
    if dtype.kind == "bool":
        return {"true": 1, "false": 0, "1": 1, "0": 0}.get(text)
    if len(text) > _LONGEST:
        return None
    if dtype.is_float:
        return _parse_float(text, dtype)
    match = _INTEGER.match(text)
    if match is None:
        return None
    sign, hexadecimal, binary, decimal = match.groups()
    value = int(hexadecimal, 16) if hexadecimal else int(binary, 2) if binary else int(decimal)
    value = -value if sign else value
    least = -(1 << (dtype.bits - 1)) if dtype.kind == "signed" else 0
    return value & ((1 << dtype.bits) - 1) if least <= value <= dtype.greatest else None


def _parse_float(text: str, dtype: DType) -> int | None:
    if _HEX.match(text):
        bits = int(text, 16)
        return bits if bits >> dtype.bits == 0 else None
    if text in ("inf", "-inf", "nan"):
        return _bits(float(text), dtype)
    match = _DECIMAL.match(text)
    if match is None:
        return None
    rough = float(text)
    if dtype.bits == 64 or abs(int(match[1] or 0)) > _LARGEST_EXPONENT or math.isinf(rough) or rough == 0:
        return _bits(rough, dtype)
    return _bits(_to_odd(Fraction(text), rough), dtype)


def _to_odd(exact: Fraction, rough: float) -> float:
    """The nearest f64, `rough`, rounded to odd instead: rounded again to a narrower type, it has been rounded once."""
    error = exact - Fraction(rough)
    if error == 0 or math.frexp(rough)[0] * (1 << 53) % 2:
        return rough
    return math.nextafter(rough, math.copysign(math.inf, error))


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPED = re.compile(r"\\(?:([\"\\\\])|u\{([0-9a-fA-F]{1,6})\})")


def quoted(text: str) -> str:
    """A text in quotes: a backslash before quotes and backslashes, control characters as `\\u{a}`."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda m: f"\\u{{{ord(m[0]):x}}}", plain) + '"'


def unquoted(text: str) -> str | None:
    """Return the contents of a text in quotes; None if a backslash in it means nothing."""
    inner = text[1:-1]
    codes = [int(m[2], 16) for m in _ESCAPED.finditer(inner) if m[2]]
    if "\\" in _ESCAPED.sub("", inner) or any(c > 0x10FFFF or 0xD800 <= c < 0xE000 for c in codes):
        return None
    return _ESCAPED.sub(lambda m: m[1] or chr(int(m[2], 16)), inner)
