"""Types and names as LLVM IR writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntAttr,
    IntegerType,
    NoneAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

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
    """The content of a string in quotes."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


def symbol(name: str) -> str:
    """A global name with its `@`."""
    return f"@{name}" if _PLAIN.match(name) else f'@"{quoted(name.encode())}"'


def address_space(pointer: Attribute) -> int:
    """The address space of a pointer type."""
    space: IntAttr | NoneAttr = cast("Any", pointer).addr_space
    return space.data if isinstance(space, IntAttr) else 0


def integer_width(type: Attribute) -> int | None:
    """The bits of an integer type; None for others."""
    return cast("Any", type).width.data if isinstance(type, IntegerType) else None


def as_vector(type: Attribute) -> VectorType[Attribute] | None:
    """The type, if it is a vector's."""
    return cast("VectorType[Attribute]", type) if isinstance(type, VectorType) else None


def field_types(type: Attribute) -> Sequence[Attribute] | None:
    """The types of a struct's fields, or of the elements of an array or vector; None for other types."""
    if (vector := as_vector(type)) is not None:
        return [vector.element_type] * vector.get_shape()[0]
    if type.name == "llvm.array":
        return [cast("Any", type).type] * cast("Any", type).size.data
    return cast("Any", type).types.data if type.name == "llvm.struct" else None


def bracketed(inside: str, type: Attribute) -> str:
    """The constant of an aggregate type with these fields or elements."""
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
    """A type as the names of overloaded intrinsics spell it."""
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
