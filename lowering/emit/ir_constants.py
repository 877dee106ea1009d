"""Constants as LLVM IR writes them: exact to the bit, NaN payloads and infinities too."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
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
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from hologram.errors import PassError
from hologram.lowering.emit.ir_types import Types, element_of, quoted

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
    if isinstance(type, IntegerType):
        bits = type.width.data
        if bits == 1:
            return "true" if value & 1 else "false"
        half = 1 << (bits - 1)
        return str(((value + half) & ((1 << bits) - 1)) - half)
    return str(value)


class Constants:
    """The text of constant attributes of given types."""

    def __init__(self, types: Types):
        self.types = types

    def text(self, op: Operation, value: Attribute, type: Attribute) -> str:
        """The constant `value` as a value of `type`, without the type in front."""
        if isinstance(value, IntegerAttr) and isinstance(type, IntegerType):
            return integer_text(cast("Any", value).value.data, type)
        if isinstance(value, FloatAttr) and type.__class__ in _FLOATS:
            packed: bytes = cast("Any", type).pack((cast("Any", value).value.data,))
            return float_text(int.from_bytes(packed, "little"), type)
        if isinstance(value, DenseIntOrFPElementsAttr):
            return self._dense(op, cast("DenseIntOrFPElementsAttr[Any]", value), type)
        if isinstance(value, StringAttr | BytesAttr):
            data = value.data.encode() if isinstance(value, StringAttr) else value.data
            return f'c"{quoted(data)}"'
        if isinstance(value, ArrayAttr):
            return self._fields(op, cast("ArrayAttr[Attribute]", value).data, type)
        if value.name in ("llvm.mlir.zero", "llvm.zero"):
            return "zeroinitializer"
        raise self.unsupported(op, value, type)

    def unsupported(self, op: Operation, value: Attribute, type: Attribute) -> PassError:
        return PassError(op, "llvm-ir-constant", f"LLVM IR has no constant {value} of type {type}")

    # Aggregates

    def _fields(self, op: Operation, values: Sequence[Attribute], type: Attribute) -> str:
        """An array attribute: the fields of a struct, or the elements of an array or vector."""
        if isinstance(type, VectorType):
            types: list[Attribute] = [element_of(cast("VectorType[Any]", type))] * len(values)
        elif type.name == "llvm.array":
            types = [cast("Any", type).type] * len(values)
        elif type.name == "llvm.struct" and len(values) == len(cast("Any", type).types.data):
            types = list(cast("Any", type).types.data)
        else:
            raise self.unsupported(op, ArrayAttr(values), type)
        inside = [f"{self.types(t)} {self.text(op, v, t)}" for v, t in zip(values, types, strict=True)]
        return self._wrapped(inside, type)

    def _wrapped(self, inside: Sequence[str], type: Attribute) -> str:
        joined = ", ".join(inside)
        if isinstance(type, VectorType):
            return f"<{joined}>"
        if type.name == "llvm.array":
            return f"[{joined}]"
        return f"<{{ {joined} }}>" if getattr(type, "is_packed", False) else f"{{ {joined} }}"

    def _dense(self, op: Operation, value: DenseIntOrFPElementsAttr[Any], type: Attribute) -> str:
        if not any(value.data.data):
            return "zeroinitializer"
        element = self._leaf(op, value, type)
        if isinstance(type, VectorType) and len(type.get_shape()) == 1 and value.is_splat():
            return f"splat ({self.types(element)} {next(self._elements(value, element))})"
        if isinstance(element, IntegerType) and element.width.data == 8 and self._is_bytes(type):
            return f'c"{quoted(value.data.data)}"'
        texts = self._elements(value, element)
        prefix = self.types(element) + " "
        found = self._nest(type, iter([prefix + text for text in texts]))
        if found is None:
            raise self.unsupported(op, value, type)
        return found

    @staticmethod
    def _is_bytes(type: Attribute) -> bool:
        return type.name == "llvm.array" and isinstance(cast("Any", type).type, IntegerType)

    def _leaf(self, op: Operation, value: DenseIntOrFPElementsAttr[Any], type: Attribute) -> Attribute:
        """The scalar type inside `type`, which must have the attribute's elements."""
        count = 1
        inner = type
        while inner.name in ("llvm.array", "vector"):
            if isinstance(inner, VectorType):
                for size in inner.get_shape():
                    count *= size
                inner = element_of(cast("VectorType[Any]", inner))
            else:
                count *= cast("Any", inner).size.data
                inner = cast("Any", inner).type
        element: Attribute = value.get_element_type()
        integers = isinstance(inner, IntegerType) and element.name in ("integer_type", "index")
        if count != len(value) or not (integers or inner == element):
            raise self.unsupported(op, value, type)
        return inner

    def _elements(self, value: DenseIntOrFPElementsAttr[Any], type: Attribute) -> Iterator[str]:
        if isinstance(type, IntegerType):
            return (integer_text(v, type) for v in value.get_values())
        size, text = _FLOATS[type.__class__]
        data = value.data.data
        code = {2: "H", 4: "I", 8: "Q"}[size]
        known: dict[int, str] = {}

        def known_text(bits: int) -> str:
            found = known.get(bits)
            if found is None:
                found = known[bits] = text(bits)
            return found

        return map(known_text, struct.unpack(f"<{len(data) // size}{code}", data))

    def _nest(self, type: Attribute, texts: Iterator[str]) -> str | None:
        """Takes as many texts as `type` has scalars."""
        if isinstance(type, VectorType):
            shape = type.get_shape()
            return f"<{', '.join(next(texts) for _ in range(shape[0]))}>" if len(shape) == 1 else None
        if type.name != "llvm.array":
            return None
        size: int = cast("Any", type).size.data
        inner: Attribute = cast("Any", type).type
        if inner.name not in ("llvm.array", "vector"):
            return f"[{', '.join(next(texts) for _ in range(size))}]"
        prefix = self.types(inner) + " "
        parts = [self._nest(inner, texts) for _ in range(size)]
        return f"[{', '.join(prefix + (part or '') for part in parts)}]"
