"""Writes types, names and constants as LLVM IR has them; constants are exact to the bit, NaN payloads too."""

from __future__ import annotations

import re
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
    Float80Type,
    Float128Type,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from hologram.dialects.shapes import written_out
from hologram.errors import PassError

_PLAIN = re.compile(r"[A-Za-z$._-][A-Za-z$._0-9-]*\Z")

_FLOATS = {
    Float16Type: ("half", "f16"),
    BFloat16Type: ("bfloat", "bf16"),
    Float32Type: ("float", "f32"),
    Float64Type: ("double", "f64"),
    Float80Type: ("x86_fp80", "f80"),
    Float128Type: ("fp128", "f128"),
}


def quoted(data: bytes) -> str:
    """Return the content of a string in quotes."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


def symbol(name: str) -> str:
    """Return a global name with its `@`."""
    return f"@{name}" if _PLAIN.match(name) else f'@"{quoted(name.encode())}"'


def address_space(pointer: Attribute) -> int:
    """Return the address space of a pointer type."""
    space: IntAttr | NoneAttr = cast("Any", pointer).addr_space
    return space.data if isinstance(space, IntAttr) else 0


def integer_width(type: Attribute) -> int | None:
    """Return the bits of an integer type; None for others."""
    return cast("Any", type).width.data if isinstance(type, IntegerType) else None


def as_vector(type: Attribute) -> VectorType[Attribute] | None:
    """Return the type if it is a vector's, else None."""
    return cast("VectorType[Attribute]", type) if isinstance(type, VectorType) else None


def field_types(type: Attribute) -> Sequence[Attribute] | None:
    """Return the types of a struct's fields, or of the elements of an array or vector; None for other types."""
    if (vector := as_vector(type)) is not None:
        return [vector.element_type] * vector.get_shape()[0]
    if type.name == "llvm.array":
        return [cast("Any", type).type] * cast("Any", type).size.data
    return cast("Any", type).types.data if type.name == "llvm.struct" else None


def bracketed(inside: str, type: Attribute) -> str:
    """Return the constant of an aggregate type with these fields or elements."""
    if isinstance(type, VectorType):
        return f"<{inside}>"
    if type.name == "llvm.array":
        return f"[{inside}]"
    return f"<{{ {inside} }}>" if getattr(type, "is_packed", False) else f"{{ {inside} }}"


class Types:
    """The text of types, each worked out once; collects the definitions of named structs on the way."""

    def __init__(self) -> None:
        # By identity, for attributes hash slowly; the attribute is held so that its identity stays its own.
        self.known: dict[int, tuple[Attribute, str]] = {}
        self.definitions: dict[str, str] = {}
        self.place: Operation | None = None
        """The operation whose types are asked for, for errors."""

    def __call__(self, type: Attribute) -> str:
        known = self.known.get(id(type))
        if known is None:
            known = self.known[id(type)] = (type, self._text(type))
        return known[1]

    def _text(self, type: Attribute) -> str:
        if (width := integer_width(type)) is not None:
            return f"i{width}"
        if (words := _FLOATS.get(cast("Any", type.__class__))) is not None:
            return words[0]
        if (vector := as_vector(type)) is not None:
            return self._vector(vector)
        by_name = _BY_NAME.get(type.name)
        if by_name is None:
            place = self.place
            assert place is not None
            raise PassError(place, "llvm-ir-type", f"LLVM IR has no type {type}", hint="run convert-to-llvm first")
        return by_name(self, type)

    def _vector(self, type: VectorType[Attribute]) -> str:
        *outer, last = type.get_shape()
        scalable = "vscale x " if type.get_num_scalable_dims() else ""
        text = f"<{scalable}{last} x {self(type.element_type)}>"
        for size in reversed(outer):
            text = f"[{size} x {text}]"
        return text

    def pointer(self, type: Any) -> str:
        space = address_space(type)
        return f"ptr addrspace({space})" if space else "ptr"

    def array(self, type: Any) -> str:
        return f"[{type.size.data} x {self(type.type)}]"

    def struct(self, type: Any) -> str:
        name: str = type.struct_name.data
        if not name:
            return self._fields(type)
        text = f"%{name}" if _PLAIN.match(name) else f'%"{quoted(name.encode())}"'
        if text not in self.definitions:
            opaque = getattr(type, "is_opaque", False)
            self.definitions[text] = "opaque" if opaque else self._fields(type)
        return text

    def _fields(self, type: Any) -> str:
        inside = ", ".join(self(t) for t in type.types.data)
        text = f"{{ {inside} }}" if inside else "{}"
        return f"<{text}>" if getattr(type, "is_packed", False) else text

    def function(self, type: Any) -> str:
        parts = [self(t) for t in type.inputs.data] + (["..."] if type.is_variadic else [])
        return f"{self(type.output)} ({', '.join(parts)})"


def _void(_types: Types, _type: Attribute) -> str:
    return "void"


_BY_NAME: dict[str, Callable[[Types, Any], str]] = {
    "llvm.ptr": Types.pointer,
    "llvm.array": Types.array,
    "llvm.struct": Types.struct,
    "llvm.func": Types.function,
    "llvm.void": _void,
}


def mangled(type: Attribute) -> str:
    """Return a type as the names of overloaded intrinsics spell it."""
    if (width := integer_width(type)) is not None:
        return f"i{width}"
    if (words := _FLOATS.get(cast("Any", type.__class__))) is not None:
        return words[1]
    if (vector := as_vector(type)) is not None:
        scalable = "nx" if vector.get_num_scalable_dims() else ""
        return f"{scalable}v{vector.get_shape()[-1]}{mangled(vector.element_type)}"
    if type.name == "llvm.ptr":
        return f"p{address_space(type)}"
    if type.name == "llvm.struct":
        return f"sl_{''.join(mangled(t) for t in cast('Any', type).types.data)}s"
    return f"a{cast('Any', type).size.data}{mangled(cast('Any', type).type)}"


_SHORT = 10
"""Decimals that are no longer than this are easier to read than hexadecimals; both are exact."""


def _decimal(value: float) -> str | None:
    """Return a finite value in decimals if it is short that way, else None."""
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
    """Return the double of the same value, which is how LLVM writes them. A NaN keeps its payload at the top."""
    if bits & 0x7F800000 == 0x7F800000:
        double = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return f"0x{double:016X}"
    value = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return _decimal(value) or f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _double(bits: int) -> str:
    return _decimal(struct.unpack("<d", bits.to_bytes(8, "little"))[0]) or f"0x{bits:016X}"


_FLOAT_TEXTS: dict[type[Attribute], tuple[int, Callable[[int], str]]] = {
    Float16Type: (2, _half),
    BFloat16Type: (2, _bfloat),
    Float32Type: (4, _single),
    Float64Type: (8, _double),
}


def float_text(bits: int, type: Attribute) -> str:
    """Return the float of some type that has these bits."""
    return _FLOAT_TEXTS[type.__class__][1](bits)


def integer_text(value: int, type: Attribute) -> str:
    """Return an integer in the signed range of its type."""
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
        """Return the constant `value` as a value of `type`, without the type in front."""
        given: Any = value
        if isinstance(value, IntegerAttr) and integer_width(type) is not None:
            return integer_text(given.value.data, type)
        if isinstance(value, FloatAttr) and type.__class__ in _FLOAT_TEXTS:
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
        value = written_out(value)
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
    """Return the sizes and brackets of an array or vector type, outermost first, and the scalar type inside."""
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
    """Return the text of each scalar."""
    if integer_width(type) is not None:
        return [integer_text(v, type) for v in value.get_values()]
    size, text = _FLOAT_TEXTS[type.__class__]
    data = value.data.data
    bits = struct.unpack(f"<{len(data) // size}{_CODES[size]}", data)
    known = {b: text(b) for b in set(bits)}
    return [known[b] for b in bits]


_CODES = {2: "H", 4: "I", 8: "Q"}


def _nested(levels: Sequence[tuple[int, str]], type: str, texts: Iterable[str]) -> str:
    """Group the texts of scalars level by level; `type` is what stands before each."""
    for size, (left, right) in reversed(levels):
        items = [f"{type} {text}" for text in texts]
        texts = [f"{left}{', '.join(items[i : i + size])}{right}" for i in range(0, len(items), size)]
        type = f"{left}{size} x {type}{right}"
    return next(iter(texts))
