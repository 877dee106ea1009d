"""The kinds of values in a text language, which are a few scalars by name, the spaces of memory, and the bits and
digits of floats.
"""

from __future__ import annotations

import struct
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation

from hologram.dialects.gpu import AddressSpace, AddressSpaceAttr
from hologram.errors import PassError

INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
FLOATS = ("f16", "bf16", "f32", "f64")
KINDS = (*INTEGERS, *FLOATS)

_NAMES: dict[type[Attribute], str] = {
    IndexType: "index",
    Float16Type: "f16",
    BFloat16Type: "bf16",
    Float32Type: "f32",
    Float64Type: "f64",
}
WORDS = {2: "v2i64", 4: "v4i64"}
"""Vectors of words, which are loaded and stored as such (vectors-to-words)."""
LANES = 16
"""The elements of vectors that kernels compute with (vectorize-lookups)."""
_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def bits_of(kind: str, index_bits: int) -> int:
    """The width of a kind."""
    return _BITS.get(kind, index_bits)


def kind_of(type: Attribute, op: Operation) -> str:
    """The kind of a scalar type, or of a vector of words; `op` is who has it, for the error."""
    if isinstance(type, IntegerType):
        if (kind := f"i{type.bitwidth}") in INTEGERS:
            return kind
        raise PassError(
            op,
            "device-refuses-width",
            f"{op.name} has a value of type {type}: kernels as text have integers of 1, 8, 16, 32 and 64 bits",
            hint="run split-wide-integers before; isa.md section 7 says which widths a device may refuse",
        )
    if (name := _NAMES.get(type.__class__)) is not None:
        return name
    if isinstance(type, VectorType):
        vector = cast("VectorType[Attribute]", type)
        if vector.element_type == i64 and (name := WORDS.get(vector.element_count())) is not None:
            return name
    raise PassError(
        op,
        "kernel-text-type",
        f"{op.name} has a value of type {type}, which kernels as text have no form of",
        hint="the flat kernel form has scalars and memrefs of one dimension; run flatten-kernels before",
    )


def lane_type(type: Attribute) -> Attribute | None:
    """The element type of a vector that kernels compute with; None of other types."""
    if not isinstance(type, VectorType) or type.get_shape() != (LANES,):
        return None
    return cast("VectorType[Attribute]", type).element_type


def element_kind(type: Attribute, op: Operation) -> str:
    """The kind of a memref's or a vector's elements."""
    return kind_of(cast("MemRefType[Attribute] | VectorType[Attribute]", type).element_type, op)


def space_of(type: Attribute) -> str:
    """`global`, `workgroup` or `private`."""
    space: Any = cast("MemRefType[Attribute]", type).memory_space
    return space.data.value if isinstance(space, AddressSpaceAttr) else AddressSpace.Global.value


def static_size(type: Attribute) -> int:
    """The number of elements of a memref of constant shape."""
    count = 1
    for size in cast("MemRefType[Attribute]", type).get_shape():
        count *= size
    return count


_PACKED = {"f16": "<e", "f32": "<f", "f64": "<d"}


def decoded(kind: str, pattern: int) -> float:
    """The number that bits stand for."""
    code = _PACKED[kind]
    return struct.unpack(code, pattern.to_bytes(struct.calcsize(code), "little"))[0]


def encoded(kind: str, value: float) -> int:
    """The bits of a number."""
    if kind == "bf16":
        return encoded("f32", value) >> 16
    return int.from_bytes(struct.pack(_PACKED[kind], value), "little")


def shortest(kind: str, value: float) -> str:
    """The fewest digits that read back as the number."""
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        try:
            same = encoded(kind, float(text)) == encoded(kind, value)
        except OverflowError:  # Rounded up beyond the greatest.
            continue
        if same:
            return text if any(c in text for c in ".e") else f"{text}.0"
    return repr(value)
