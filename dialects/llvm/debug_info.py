"""The attributes that tell debuggers of files, functions, variables and types: `#llvm.di_*`; and those of the types by
which accesses are told apart, `#llvm.tbaa_*`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.llvm.attributes import FieldsAttr

_FIELDS = {
    "di_annotation": "name value",
    "di_basic_type": "tag name sizeInBits encoding",
    "di_common_block": "scope decl name file line",
    "di_compile_unit": "id sourceLanguage file producer isOptimized emissionKind nameTableKind splitDebugFilename",
    "di_composite_type": "recId isRecSelf tag name file line scope baseType flags sizeInBits alignInBits dataLocation"
    " rank allocated associated elements",
    "di_derived_type": "tag name baseType sizeInBits alignInBits offsetInBits dwarfAddressSpace extraData",
    "di_generic_subrange": "count lowerBound upperBound stride",
    "di_global_variable": "scope name linkageName file line type isLocalToUnit isDefined alignInBits",
    "di_global_variable_expression": "var expr",
    "di_imported_entity": "tag scope entity file line name elements",
    "di_label": "scope name file line",
    "di_lexical_block": "scope file line column",
    "di_lexical_block_file": "scope file discriminator",
    "di_local_variable": "scope name file line arg alignInBits type flags",
    "di_module": "file scope name configMacros includePath apinotes line isDecl",
    "di_namespace": "name scope exportSymbols",
    "di_string_type": "tag name sizeInBits alignInBits stringLength stringLengthExp stringLocationExp encoding",
    "di_subprogram": "recId isRecSelf id compileUnit scope name linkageName file line scopeLine subprogramFlags type"
    " retainedNodes annotations",
    "di_subrange": "count lowerBound upperBound stride",
    "di_subroutine_type": "callingConvention types",
    "tbaa_root": "id",
    "tbaa_tag": "base_type access_type offset constant",
}
"""The fields of each attribute, in upstream's order."""
_NEEDED = {
    "di_basic_type": "name",
    "di_common_block": "scope name",
    "di_compile_unit": "id sourceLanguage file isOptimized emissionKind",
    "di_global_variable": "file line type",
    "di_imported_entity": "scope entity",
    "di_label": "scope",
    "di_lexical_block": "scope",
    "di_lexical_block_file": "scope discriminator",
    "di_local_variable": "scope",
    "di_namespace": "exportSymbols",
    "di_string_type": "name",
    "tbaa_tag": "base_type access_type offset",
}
"""The fields that may not be left out."""
_WORDS = {"tag", "encoding", "sourceLanguage", "callingConvention", "emissionKind", "nameTableKind"}
_FLAGS = {"flags", "subprogramFlags"}
_LISTS = {"elements", "types", "retainedNodes", "annotations"}
_NUMBERS = (
    "sizeInBits alignInBits offsetInBits line column arg scopeLine discriminator dwarfAddressSpace offset"
).split()


@dataclass(frozen=True, init=False)
class DescriptionAttr(FieldsAttr):
    """An attribute of named fields, some of which hold words, flags, plain numbers or lists."""

    def print_parameters(self, printer: Printer) -> None:
        # A root without a name is written without brackets, but nothing else is.
        if self.fields.data or self.name != "llvm.tbaa_root":
            super().print_parameters(printer)

    def _print_field(self, printer: Printer, name: str, value: Attribute) -> None:
        if name in _WORDS | _FLAGS and isinstance(value, StringAttr):
            # Several flags are a string, which may hold signs that words have not.
            printer.print_string(f'{name} = "{value.data}"' if "|" in value.data else f"{name} = {value.data}")
        elif isinstance(value, IntAttr):
            printer.print_string(f"{name} = {_shown(cast('Attribute', value))}")
        elif name in _LISTS and isinstance(value, ArrayAttr):
            printer.print_string(f"{name} = ")
            printer.print_list(cast("ArrayAttr[Attribute]", value).data, printer.print_attribute)
        else:
            super()._print_field(printer, name, value)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if cls.name == "llvm.tbaa_root" and parser.parse_optional_punctuation("<") is None:
            return [DictionaryAttr({})]
        if cls.name != "llvm.tbaa_root":
            parser.parse_punctuation("<")
        fields: dict[str, Attribute] = {}
        while parser.parse_optional_punctuation(">") is None:
            name = parser.parse_identifier(" for a field")
            if name not in cls.FIELDS or name in fields:
                parser.raise_error(f"#{cls.name} has no field '{name}', or has it already")
            parser.parse_punctuation("=")
            fields[name] = cls._parse_field(parser, name)
            while parser.parse_optional_punctuation(","):
                if name not in _LISTS or (more := parser.parse_optional_attribute()) is None:
                    break
                fields[name] = ArrayAttr([*cast("ArrayAttr[Attribute]", fields[name]).data, more])
        for name in _NEEDED.get(cls.name.removeprefix("llvm."), "").split():
            if name not in fields:
                parser.raise_error(f"#{cls.name} needs the field '{name}'")
        return [DictionaryAttr(fields)]

    @classmethod
    def _parse_field(cls, parser: AttrParser, name: str) -> Attribute:
        if name in _LISTS:
            return ArrayAttr([parser.parse_attribute()])
        if name in _NUMBERS:
            return IntAttr(parser.parse_integer(allow_boolean=False))
        if name in _WORDS | _FLAGS:
            words = parser.parse_optional_str_literal()
            return StringAttr(parser.parse_identifier(" for a word") if words is None else words)
        return super()._parse_field(parser, name)


@irdl_attr_definition
class FileAttr(ParametrizedAttribute):
    """A file of the program: `#llvm.di_file<"a.c" in "/home">`."""

    name = "llvm.di_file"

    file: StringAttr
    directory: StringAttr

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.file)
            printer.print_string(" in ")
            printer.print_attribute(self.directory)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            file = parser.parse_attribute()
            parser.parse_keyword("in")
            return [file, parser.parse_attribute()]


@irdl_attr_definition
class NullTypeAttr(ParametrizedAttribute):
    """The type of nothing: `#llvm.di_null_type`."""

    name = "llvm.di_null_type"


@irdl_attr_definition
class ExpressionAttr(ParametrizedAttribute):
    """How to find a value: `#llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(32, 32)]>`."""

    name = "llvm.di_expression"

    steps: ArrayAttr[ArrayAttr[Attribute]]
    """The name of each, with its operands."""

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<[{', '.join(self._spelled())}]>" if self.steps.data else "<>")

    def _spelled(self) -> Iterator[str]:
        for step in self.steps:
            word, *operands = step.data
            assert isinstance(word, StringAttr)
            yield f"{word.data}({', '.join(map(_shown, operands))})" if operands else word.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        steps = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_step(parser))
        parser.parse_punctuation(">")
        return [ArrayAttr[Attribute](steps or [])]


def _shown(operand: Attribute) -> str:
    return str(cast("Any", operand).data) if isinstance(operand, IntAttr | StringAttr) else str(operand)


def _parse_step(parser: AttrParser) -> ArrayAttr[Attribute]:
    def operand() -> Attribute:
        if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
            return IntAttr(number)
        type = parser.parse_optional_type()
        return StringAttr(parser.parse_identifier(" for an encoding")) if type is None else type

    word = StringAttr(parser.parse_identifier(" for a step"))
    operands = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, operand) or []
    return ArrayAttr[Attribute]([word, *operands])


@irdl_attr_definition
class TypeDescriptorAttr(ParametrizedAttribute):
    """A type that accesses are of: `#llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>`."""

    name = "llvm.tbaa_type_desc"

    id: StringAttr
    members: ArrayAttr[ArrayAttr[Attribute]]
    """The type and the offset of each."""

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<id = ")
        printer.print_attribute(self.id)
        printer.print_string(", members = {")
        printer.print_list(self.members, lambda member: _print_member(printer, member))
        printer.print_string("}>")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("id")
            parser.parse_punctuation("=")
            id = parser.parse_attribute()
            parser.parse_punctuation(",")
            parser.parse_keyword("members")
            parser.parse_punctuation("=")
            members = parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: _parse_member(parser))
        return [id, ArrayAttr[Attribute](members)]


def _parse_member(parser: AttrParser) -> Attribute:
    with parser.in_angle_brackets():
        type = parser.parse_attribute()
        parser.parse_punctuation(",")
        return ArrayAttr[Attribute]([type, IntAttr(parser.parse_integer(allow_boolean=False))])


def _print_member(printer: Printer, member: ArrayAttr[Attribute]) -> None:
    type, offset = member.data
    with printer.in_angle_brackets():
        printer.print_attribute(type)
        printer.print_string(f", {cast('IntAttr', offset).data}")


def _described(name: str, fields: str) -> type[DescriptionAttr]:
    """The attribute of a row of the table of fields."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    members: dict[str, object] = {
        "__doc__": f"Upstream's `#llvm.{name}`.",
        "__module__": __name__,
        "name": f"llvm.{name}",
        "FIELDS": dict.fromkeys(fields.split()),
    }
    return irdl_attr_definition(type(f"{camel}Attr", (DescriptionAttr,), members))


ATTRIBUTES = [
    *(_described(name, fields) for name, fields in _FIELDS.items()),
    FileAttr, NullTypeAttr, ExpressionAttr, TypeDescriptorAttr,
]  # fmt: skip
