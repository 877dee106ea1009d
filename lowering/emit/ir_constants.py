"""Constants as LLVM IR writes them: exact to the bit, NaN payloads and infinities too."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Operation

from hologram.errors import PassError
from hologram.lowering.emit.ir_types import Types, as_vector, bracketed, field_types, integer_width, quoted

_SHORT = 10
"""Decimals that are no longer than this are easier to read than hexadecimals; both are exact."""


def _decimal(value: float) -> str | None:
    """A finite value in decimals, if it is short that way."""
    text = repr(value)
    if len(text) > _SHORT or text[-1] in "fn":
        return None
    if "." in text:
        return text
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}.0e{exponent}"


def _half(bits: int) -> str:
    return _decimal(struct.unpack("<e", bits.to_bytes(2, "little"))[0]) or f"0xH{bits:04X}"


def _bfloat(bits: int) -> str:
    value = struct.unpack("<f", (bits << 16).to_bytes(4, "little"))[0]
    return _decimal(value) or f"0xR{bits:04X}"


def _single(bits: int) -> str:
    """As the double of the same value: that is how LLVM writes them. A NaN keeps its payload at the top."""
    if bits & 0x7F800000 == 0x7F800000:
        double = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return f"0x{double:016X}"
    value = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return _decimal(value) or f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _double(bits: int) -> str:
    return _decimal(struct.unpack("<d", bits.to_bytes(8, "little"))[0]) or f"0x{bits:016X}"


_FLOATS: dict[type[Attribute], tuple[int, Callable[[int], str]]] = {
    Float16Type: (2, _half),
    BFloat16Type: (2, _bfloat),
    Float32Type: (4, _single),
    Float64Type: (8, _double),
}


def float_text(bits: int, type: Attribute) -> str:
    """The float of some type that has these bits."""
    return _FLOATS[type.__class__][1](bits)


def integer_text(value: int, type: Attribute) -> str:
    """An integer, in the signed range of its type."""
    bits = integer_width(type)
    if bits is None:
        return str(value)
    if bits == 1:
        return "true" if value & 1 else "false"
    half = 1 << (bits - 1)
    return str(((value + half) & ((1 << bits) - 1)) - half)


class Constants:
    """The text of constant attributes of given types."""

    def __init__(self, types: Types):
        self.types = types

    def text(self, op: Operation, value: Attribute, type: Attribute) -> str:
        """The constant `value` as a value of `type`, without the type in front."""
        given: Any = value
        if isinstance(value, IntegerAttr) and integer_width(type) is not None:
            return integer_text(given.value.data, type)
        if isinstance(value, FloatAttr) and type.__class__ in _FLOATS:
            packed: bytes = cast("Any", type).pack((given.value.data,))
            return float_text(int.from_bytes(packed, "little"), type)
        if isinstance(value, DenseIntOrFPElementsAttr):
            return self._dense(op, given, type)
        if isinstance(value, StringAttr | BytesAttr):
            data = value.data.encode() if isinstance(value, StringAttr) else value.data
            return f'c"{quoted(data)}"'
        if isinstance(value, ArrayAttr):
            return self._fields(op, given.data, type)
        raise self.unsupported(op, given, type)

    def unsupported(self, op: Operation, value: Attribute, type: Attribute) -> PassError:
        return PassError(op, "llvm-ir-constant", f"LLVM IR has no constant {value} of type {type}")

    # Aggregates

    def _fields(self, op: Operation, values: Sequence[Attribute], type: Attribute) -> str:
        """An array attribute: the fields of a struct, or the elements of an array or vector."""
        types = field_types(type)
        if types is None or len(values) != len(types):
            raise self.unsupported(op, ArrayAttr(values), type)
        inside = [f"{self.types(t)} {self.text(op, v, t)}" for v, t in zip(values, types, strict=True)]
        return bracketed(", ".join(inside), type)

    def _dense(self, op: Operation, value: DenseIntOrFPElementsAttr[Any], type: Attribute) -> str:
        levels, leaf = _levels(type)
        element: Attribute = value.get_element_type()
        same = element == leaf or (element.name == "index" and integer_width(leaf) is not None)
        if prod(size for size, _ in levels) != len(value) or not levels or not same:
            raise self.unsupported(op, value, type)
        data = value.data.data
        if not any(data):
            return "zeroinitializer"
        word = self.types(leaf)
        if levels == [(len(value), "<>")] and value.is_splat():
            return f"splat ({word} {next(iter(_elements(value, leaf)))})"
        if integer_width(leaf) == 8 and len(levels) == 1 and levels[0][1] == "[]":
            return f'c"{quoted(data)}"'
        return _nested(levels, word, _elements(value, leaf))


def _levels(type: Attribute) -> tuple[list[tuple[int, str]], Attribute]:
    """The sizes and brackets of an array or vector type, outermost first, and the scalar type inside."""
    levels: list[tuple[int, str]] = []
    while True:
        if (vector := as_vector(type)) is not None:
            *outer, last = vector.get_shape()
            levels += [*((size, "[]") for size in outer), (last, "<>")]
            type = vector.element_type
        elif type.name == "llvm.array":
            levels.append((cast("Any", type).size.data, "[]"))
            type = cast("Any", type).type
        else:
            return levels, type


def _elements(value: DenseIntOrFPElementsAttr[Any], type: Attribute) -> Iterable[str]:
    """The text of each scalar."""
    if integer_width(type) is not None:
        return [integer_text(v, type) for v in value.get_values()]
    size, text = _FLOATS[type.__class__]
    data = value.data.data
    bits = struct.unpack(f"<{len(data) // size}{_CODES[size]}", data)
    known = {b: text(b) for b in set(bits)}
    return [known[b] for b in bits]


_CODES = {2: "H", 4: "I", 8: "Q"}


def _nested(levels: Sequence[tuple[int, str]], type: str, texts: Iterable[str]) -> str:
    """Groups the texts of scalars level by level; `type` is what stands before each."""
    for size, (left, right) in reversed(levels):
        items = [f"{type} {text}" for text in texts]
        texts = [f"{left}{', '.join(items[i : i + size])}{right}" for i in range(0, len(items), size)]
        type = f"{left}{size} x {type}{right}"
    return next(iter(texts))
