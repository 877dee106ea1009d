"""The types of the spirv dialect that are not builtin: pointers, structs, arrays; and what a module needs."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.spirv.enums import CAPABILITIES, DECORATIONS, STORAGE_CLASSES
from hologram.errors import did_you_mean, parse_error


def name_of(parser: AttrParser, kind: str, known: Sequence[str]) -> str:
    """The name that comes next, which must be known."""
    start = parser.pos
    return known_name(parser, parser.parse_identifier(), kind, known, start)


def known_name(parser: AttrParser, name: str, kind: str, known: Sequence[str], start: int) -> str:
    """A name that was read at a place, which must be known."""
    if name not in known:
        hint = did_you_mean(name, known)
        parse_error(parser, "spirv-name-unknown", f"there is no {kind} '{name}'", hint=hint, at=start)
    return name


def _parse_stride(parser: AttrParser) -> int:
    if parser.parse_optional_punctuation(",") is None:
        return 0
    parser.parse_keyword("stride")
    parser.parse_punctuation("=")
    start = parser.pos
    if (stride := parser.parse_integer(allow_boolean=False, allow_negative=False)) == 0:
        parser.raise_error("a stride is greater than 0", start, parser.pos)
    return stride


def is_scalar(type: Attribute) -> bool:
    """Return whether a type is a number or a truth value."""
    return is_float(type) or isinstance(type, BFloat16Type | IntegerType)


def _parse_part(parser: AttrParser) -> Attribute:
    """Parses a type that others are composed of: numbers, vectors of them, and those of the dialect."""
    start = parser.pos
    type = parser.parse_type()
    if not (type.name.startswith("spirv.") or isinstance(type, VectorType) or is_scalar(type)):
        parser.raise_error(f"types of spirv are not composed of {type}", start, parser.pos)
    if isinstance(type, VectorType) and type.get_num_dims() != 1:
        parser.raise_error(f"vectors of spirv have one axis, unlike {type}", start, parser.pos)
    element = element_of(cast(Attribute, type))
    if isinstance(element, IntegerType) and element.bitwidth not in (1, 8, 16, 32, 64):
        parser.raise_error(f"integers of spirv have 1, 8, 16, 32 or 64 bits, unlike {element}", start, parser.pos)
    return cast(Attribute, type)


def _print_stride(printer: Printer, stride: int) -> None:
    if stride:
        printer.print_string(f", stride={stride}")


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """A pointer to a value of a type in a storage class: `!spirv.ptr<f32, StorageBuffer>`."""

    name = "spirv.ptr"

    pointee: Attribute
    storage_class: StringAttr

    @staticmethod
    def to(pointee: Attribute, storage_class: str) -> PointerType:
        """The pointer type."""
        return PointerType(pointee, StringAttr(storage_class))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            pointee = parser.parse_type()
            parser.parse_punctuation(",")
            return [pointee, StringAttr(name_of(parser, "storage class", [*STORAGE_CLASSES]))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.pointee)
            printer.print_string(f", {self.storage_class.data}")


@irdl_attr_definition
class ArrayType(ParametrizedAttribute, TypeAttribute):
    """So many elements, with a stride in bytes where the layout is explicit: `!spirv.array<4 x f32, stride=4>`."""

    name = "spirv.array"

    count: IntAttr
    element: Attribute
    stride: IntAttr

    @staticmethod
    def of(count: int, element: Attribute, stride: int = 0) -> ArrayType:
        """The array type; a stride of 0 is none."""
        return ArrayType(IntAttr(count), element, IntAttr(stride))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            if (count := parser.parse_shape_dimension(allow_dynamic=False)) == 0:
                parser.raise_error("an array has an element at least", start, parser.pos)
            parser.parse_shape_delimiter()
            return [IntAttr(count), _parse_part(parser), IntAttr(_parse_stride(parser))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.count.data} x ")
            printer.print_attribute(self.element)
            _print_stride(printer, self.stride.data)


@irdl_attr_definition
class RuntimeArrayType(ParametrizedAttribute, TypeAttribute):
    """An array of as many elements as the buffer has: `!spirv.rtarray<f32, stride=4>`."""

    name = "spirv.rtarray"

    element: Attribute
    stride: IntAttr

    @staticmethod
    def of(element: Attribute, stride: int = 0) -> RuntimeArrayType:
        """The array type; a stride of 0 is none."""
        return RuntimeArrayType(element, IntAttr(stride))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [_parse_part(parser), IntAttr(_parse_stride(parser))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            _print_stride(printer, self.stride.data)


@irdl_attr_definition
class StructType(ParametrizedAttribute, TypeAttribute):
    """Members with offsets in bytes where the layout is explicit: `!spirv.struct<(f32 [0], i32 [4])>`.

    A member's brackets hold its offset, then decorations. Decorations of the struct itself follow the members.
    """

    name = "spirv.struct"

    members: ArrayAttr[Attribute]
    offsets: ArrayAttr[IntAttr]
    """One for each member, or none."""
    member_decorations: ArrayAttr[ArrayAttr[StringAttr]]
    decorations: ArrayAttr[StringAttr]
    identifier: StringAttr
    """What the struct is known by, or nothing."""
    is_inner: IntAttr
    """1 where this stands for the struct around it of the same identifier."""

    @staticmethod
    def of(
        members: Sequence[Attribute],
        offsets: Sequence[int] = (),
        member_decorations: Sequence[Sequence[str]] | None = None,
        decorations: Sequence[str] = (),
        identifier: str = "",
        is_inner: bool = False,
    ) -> StructType:
        """The struct type."""
        of_members = member_decorations if member_decorations is not None else [()] * len(members)
        return StructType(
            ArrayAttr(members),
            ArrayAttr([IntAttr(n) for n in offsets]),
            ArrayAttr([ArrayAttr([StringAttr(d) for d in each]) for each in of_members]),
            ArrayAttr([StringAttr(d) for d in decorations]),
            StringAttr(identifier),
            IntAttr(int(is_inner)),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start, around = parser.pos, _AROUND.get()
            identifier = parser.parse_optional_identifier() or ""
            if identifier and parser.parse_optional_punctuation(",") is None:
                if identifier not in around:
                    parser.raise_error(f"'{identifier}' is not inside the struct of this name", start, parser.pos)
                return cls.of((), identifier=identifier, is_inner=True).parameters
            if identifier and identifier in around:
                parser.raise_error(f"'{identifier}' is the name of a struct around this one", start, parser.pos)
            token = _AROUND.set((*around, identifier))
            try:
                members, offsets, of_members = _parse_members(parser)
            finally:
                _AROUND.reset(token)
            of_struct: list[str] = []
            while parser.parse_optional_punctuation(",") is not None:
                of_struct.append(name_of(parser, "decoration", [*DECORATIONS]))
        return cls.of(members, offsets, of_members, of_struct, identifier).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.identifier.data)
            if self.is_inner.data:
                return
            printer.print_string(", (" if self.identifier.data else "(")
            for index, member in enumerate(self.members):
                if index:
                    printer.print_string(", ")
                printer.print_attribute(member)
                inside = [str(self.offsets.data[index].data)] if self.offsets.data else []
                inside += [d.data for d in self.member_decorations.data[index]]
                if inside:
                    printer.print_string(f" [{', '.join(inside)}]")
            printer.print_string(")")
            for decoration in self.decorations:
                printer.print_string(f", {decoration.data}")


_AROUND: ContextVar[tuple[str, ...]] = ContextVar("structs around", default=())
"""The identifiers of the structs whose members are being read."""


def _parse_members(parser: AttrParser) -> tuple[list[Attribute], list[int], list[list[str]]]:
    """Parses members in parentheses: their types, their offsets, and their decorations."""
    members: list[Attribute] = []
    offsets: list[int] = []
    decorations: list[list[str]] = []

    def member() -> None:
        members.append(_parse_part(parser))
        decorations.append([])
        if parser.parse_optional_punctuation("[") is None:
            return
        if (offset := parser.parse_optional_integer(allow_boolean=False, allow_negative=False)) is not None:
            offsets.append(offset)
        while offset is None or parser.parse_optional_punctuation(",") is not None:
            name = name_of(parser, "decoration", [*DECORATIONS])
            value = f"={parser.parse_integer()}" if parser.parse_optional_punctuation("=") else ""
            decorations[-1].append(name + value)
            offset = 0
        parser.parse_punctuation("]")

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, member)
    if offsets and len(offsets) != len(members):
        parse_error(parser, "spirv-struct-offsets", "either all members of a struct have offsets, or none")
    return members, offsets, decorations


@irdl_attr_definition
class TripleAttr(ParametrizedAttribute):
    """The needs of a module: `#spirv.vce<v1.5, [Shader, Int64], [SPV_KHR_float_controls]>`."""

    name = "spirv.vce"

    version: StringAttr
    capabilities: ArrayAttr[StringAttr]
    extensions: ArrayAttr[StringAttr]

    @staticmethod
    def of(version: str, capabilities: Sequence[str], extensions: Sequence[str]) -> TripleAttr:
        """The triple of version (`v1.5`), capabilities and extensions."""
        return TripleAttr(
            StringAttr(version),
            ArrayAttr([StringAttr(c) for c in capabilities]),
            ArrayAttr([StringAttr(e) for e in extensions]),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def capability() -> str:
            return name_of(parser, "capability", [*CAPABILITIES])

        def extension() -> str:
            start = parser.pos
            if not (name := parser.parse_identifier()).startswith("SPV_"):
                parser.raise_error(f"there is no extension '{name}'", start, parser.pos)
            return name

        with parser.in_angle_brackets():
            start = parser.pos
            version = parser.parse_identifier()
            if not version.startswith("v1."):
                parse_error(parser, "spirv-version", f"'{version}' is no version like v1.5", at=start)
            parser.parse_punctuation(",")
            square = parser.Delimiter.SQUARE
            capabilities = parser.parse_comma_separated_list(square, capability)
            parser.parse_punctuation(",")
            extensions = parser.parse_comma_separated_list(square, extension)
        return cls.of(version, capabilities, extensions).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            capabilities = ", ".join(c.data for c in self.capabilities)
            extensions = ", ".join(e.data for e in self.extensions)
            printer.print_string(f"{self.version.data}, [{capabilities}], [{extensions}]")


FLOATS = (Float16Type, Float32Type, Float64Type)


def element_of(type: Attribute) -> Attribute:
    """The element type of a vector, or the type itself."""
    return type.element_type if isinstance(type, VectorType) else type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def part_of(type: Attribute, indices: Sequence[int]) -> Attribute | None:
    """The type of a part of a composite by its indices from the outside in; None if there is none."""
    for index in indices:
        if isinstance(type, StructType):
            members = type.members.data
            if not 0 <= index < len(members):
                return None
            type = members[index]
        elif isinstance(type, VectorType):
            if not 0 <= index < type.get_shape()[0]:
                return None
            type = element_of(cast(Attribute, type))
        elif isinstance(type, ArrayType):
            if not 0 <= index < type.count.data:
                return None
            type = type.element
        elif isinstance(element := getattr(type, "element", None), Attribute):
            type = element
        else:
            return None
    return type


def is_float(type: Attribute) -> bool:
    """Return whether a type is a float or a vector of floats."""
    return isinstance(element_of(type), FLOATS)


def is_integer(type: Attribute) -> bool:
    """Return whether a type is an integer of at least 8 bits or a vector of them."""
    element = element_of(type)
    return isinstance(element, IntegerType) and element.bitwidth > 1


def is_bool(type: Attribute) -> bool:
    """Return whether a type is a truth value or a vector of them."""
    element = element_of(type)
    return isinstance(element, IntegerType) and element.bitwidth == 1


def size_of(type: Attribute) -> int:
    """The bytes that a scalar, vector or array takes in memory."""
    if isinstance(type, VectorType):
        count = 1
        for n in type.get_shape():
            count *= n
        return count * size_of(element_of(cast(Attribute, type)))
    if isinstance(type, ArrayType):
        return type.count.data * (type.stride.data or size_of(type.element))
    if isinstance(type, IntegerType):
        return max(type.bitwidth // 8, 1)
    assert isinstance(type, (*FLOATS, BFloat16Type))
    return type.bitwidth // 8


TYPES = (PointerType, ArrayType, RuntimeArrayType, StructType, TripleAttr)
