"""Attributes and types of upstream's llvm dialect that rows have: block tags, what initialises, flags of a module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.llvm.types import parse_type, print_type


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """A value that ties operations together: `!llvm.token`."""

    name = "llvm.token"


@irdl_attr_definition
class LabelType(ParametrizedAttribute, TypeAttribute):
    """The address of a block in LLVM IR: `!llvm.label`."""

    name = "llvm.label"


@irdl_attr_definition
class MetadataType(ParametrizedAttribute, TypeAttribute):
    """Metadata as a value: `!llvm.metadata`."""

    name = "llvm.metadata"


@irdl_attr_definition
class DoubleDoubleType(ParametrizedAttribute, TypeAttribute):
    """A sum of two floats, on PowerPC: `!llvm.ppc_fp128`."""

    name = "llvm.ppc_fp128"


@irdl_attr_definition
class TileType(ParametrizedAttribute, TypeAttribute):
    """A tile of Intel's matrix extension: `!llvm.x86_amx`."""

    name = "llvm.x86_amx"


@irdl_attr_definition
class TargetType(ParametrizedAttribute, TypeAttribute):
    """A type of one target: `!llvm.target<"spirv.Image", i32, 1, 0>`."""

    name = "llvm.target"

    word: StringAttr
    arguments: ArrayAttr[Attribute]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.word)
            for one in self.arguments:
                printer.print_string(", ")
                if isinstance(one, IntAttr):
                    printer.print_string(str(cast("Any", one).data))
                else:
                    print_type(printer, one)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            word = parser.parse_attribute()
            arguments: list[Attribute] = []
            while parser.parse_optional_punctuation(","):
                number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
                arguments.append(parse_type(parser) if number is None else IntAttr(number))
        return [word, ArrayAttr(arguments)]


@irdl_attr_definition
class ZeroAttr(ParametrizedAttribute):
    """What is initialised with zeros, or no data: `#llvm.zero`."""

    name = "llvm.zero"


@irdl_attr_definition
class BlockTagAttr(ParametrizedAttribute):
    """The number by which a block's address is taken: `#llvm.blocktag<id = 1>`."""

    name = "llvm.blocktag"

    id: IntAttr

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<id = {self.id.data}>")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            _parse_name(parser, "id")
            return [IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))]


@irdl_attr_definition
class BlockAddressAttr(ParametrizedAttribute):
    """A tagged block of a function: `#llvm.blockaddress<function = @f, tag = <id = 1>>`."""

    name = "llvm.blockaddress"

    function: SymbolRefAttr
    tag: BlockTagAttr

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"function = {self.function}, tag = <id = {self.tag.id.data}>")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            _parse_name(parser, "function")
            function = parser.parse_attribute()
            parser.parse_punctuation(",")
            _parse_name(parser, "tag")
            tag = parser.parse_optional_attribute() or BlockTagAttr.new(BlockTagAttr.parse_parameters(parser))
        return [function, tag]


@irdl_attr_definition
class ModuleFlagAttr(ParametrizedAttribute):
    """What linkers do with a fact of a module: `#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>`."""

    name = "llvm.mlir.module_flag"

    behavior: StringAttr
    key: StringAttr
    value: Attribute

    BEHAVIORS: ClassVar = ("error", "warning", "require", "override", "append", "append_unique", "max", "min")

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.behavior.data}, ")
            printer.print_list([self.key, self.value], printer.print_attribute)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            behavior = parser.parse_keyword_in(cls.BEHAVIORS)
            parser.parse_punctuation(",")
            key = parser.parse_attribute()
            parser.parse_punctuation(",")
            return [StringAttr(behavior), key, parser.parse_attribute()]


def _parse_name(parser: AttrParser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


ATTRIBUTES = [
    TokenType, LabelType, MetadataType, DoubleDoubleType, TileType, TargetType, ZeroAttr, BlockTagAttr,
    BlockAddressAttr, ModuleFlagAttr,
]  # fmt: skip
