"""What a SPIR-V binary declares before its functions: types, constants, names and decorations."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnitAttr,
    VectorType,
    f16,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute

from hologram.dialects import spirv

Words = Sequence[int]
_FLAGS = {spirv.DECORATIONS[name]: attribute for attribute, name in spirv.FLAGS.items()}


class Declared:
    """What a binary declares before its functions."""

    def __init__(self, words: Words):
        self.words = words
        self.types: dict[int, Any] = {}
        self.constants: dict[int, Attribute] = {}
        self.symbols: dict[int, str] = {}
        self.pointers: dict[int, spirv.PointerType] = {}
        self.spec: dict[int, Attribute] = {}
        self.names: dict[int, str] = {}
        self.strings: dict[int, str] = {}
        self.decorations: dict[int, list[Words]] = {}
        self.members: dict[int, list[Words]] = {}
        self.glsl: int | None = None

    def decorated(self, number: int, name: str) -> Words | None:
        """The words of a decoration."""
        wanted = spirv.DECORATIONS[name]
        return next((w[1:] for w in self.decorations.get(number, ()) if w[0] == wanted), None)

    def flags(self, number: int) -> dict[str, Attribute]:
        """The unit attributes that stand for decorations."""
        return {_FLAGS[w[0]]: UnitAttr() for w in self.decorations.get(number, ()) if w[0] in _FLAGS}

    def declare_type(self, name: str, words: Words) -> None:
        """Adds a type."""
        number, rest = words[0], words[1:]
        types = self.types
        match name:
            case "TypeVoid":
                types[number] = None
            case "TypeBool":
                types[number] = i1
            case "TypeInt":
                types[number] = IntegerType(rest[0])
            case "TypeFloat":
                types[number] = {16: f16, 32: f32, 64: f64}[rest[0]]
            case "TypeVector":
                types[number] = VectorType(types[rest[0]], [rest[1]])
            case "TypeImage":
                types[number] = spirv.ImageType.of_numbers(types[rest[0]], rest[1:])
            case "TypeArray":
                count = cast(Any, self.constants[rest[1]]).value.data
                types[number] = spirv.ArrayType.of(count, types[rest[0]], self._stride(number))
            case "TypeRuntimeArray":
                types[number] = spirv.RuntimeArrayType.of(types[rest[0]], self._stride(number))
            case "TypeStruct":
                types[number] = self._struct(number, rest)
            case "TypePointer":
                storage = next(n for n, v in spirv.STORAGE_CLASSES.items() if v == rest[0])
                types[number] = spirv.PointerType.to(types[rest[1]], storage)
            case _:
                results = [] if types[rest[0]] is None else [types[rest[0]]]
                types[number] = FunctionType.from_lists([types[n] for n in rest[1:]], results)

    def _stride(self, number: int) -> int:
        found = self.decorated(number, "ArrayStride")
        return 0 if found is None else found[0]

    def _struct(self, number: int, members: Words) -> spirv.StructType:
        offset, block = spirv.DECORATIONS["Offset"], spirv.DECORATIONS["Block"]
        names = {value: name for name, value in spirv.DECORATIONS.items()}
        said = self.members.get(number, [])
        offsets = [w[2] for n in range(len(members)) for w in said if w[0] == n and w[1] == offset]
        others = [[names[w[1]] for w in said if w[0] == n and w[1] != offset] for n in range(len(members))]
        # Block follows from the storage class of the pointers to it.
        own = [names[w[0]] for w in self.decorations.get(number, ()) if w[0] != block]
        return spirv.StructType.of([self.types[m] for m in members], offsets, others, own)

    def declare_constant(self, name: str, words: Words) -> None:
        """Adds a constant."""
        type, number, rest = self.types[words[0]], words[1], words[2:]
        if name in ("ConstantTrue", "ConstantFalse"):
            self.constants[number] = IntegerAttr(int(name == "ConstantTrue"), i1)
        elif name == "Constant":
            self.constants[number] = number_of(type, rest)
        else:
            parts = [cast(Any, self.constants[n]).value.data for n in rest]
            array = isinstance(type, spirv.ArrayType)
            shaped = TensorType(type.element, [type.count.data]) if array else type
            self.constants[number] = DenseIntOrFPElementsAttr.from_list(cast(Any, shaped), parts)
        self.types[-number] = type


def number_of(type: Attribute, words: Words) -> Attribute:
    """A number of a type."""
    size = spirv.size_of(type)
    bits = words[0] | (words[1] << 32 if len(words) > 1 else 0)
    if isinstance(type, IntegerType):
        width = type.bitwidth
        bits &= (1 << width) - 1
        return IntegerAttr(bits - (1 << width) if bits >> width - 1 else bits, cast("IntegerType", type))
    data = struct.pack("<Q", bits)[:size]
    (value,) = struct.unpack({2: "<e", 4: "<f", 8: "<d"}[size], data)
    return FloatAttr(value, cast(Any, type))
