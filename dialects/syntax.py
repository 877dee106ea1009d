"""Parts that the custom syntaxes of operations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from xdsl.ir import Attribute, Block, Data, Region, SSAValue
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

T = TypeVar("T")


class Angled(Data[Any]):
    """Puts the parameter of an attribute in angle brackets: `#atlas.kind<add>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


def parse_block(parser: Parser, arguments: Sequence[Parser.Argument] | None = None) -> Region:
    """Parses a region of one block; empty braces are a block without operations."""
    region = parser.parse_region(arguments)
    if not region.blocks:
        region.add_block(Block(arg_types=[a.type for a in arguments or ()]))
    return region


def parse_several(parser: Parser, parse: Callable[[], T]) -> list[T]:
    """Parses one or more items with commas between them."""
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parse)


def parse_typed(parser: Parser) -> tuple[dict[str, Attribute], Attribute]:
    """Parses the end of most operations: an optional attribute dictionary, a colon and a type."""
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return attributes, parser.parse_type()


def parse_values(parser: Parser) -> Sequence[SSAValue]:
    """Parses `%a, %b : f32, i32`."""
    names = parse_several(parser, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    start = parser.pos
    return parser.resolve_operands(names, parse_several(parser, parser.parse_type), start)


def print_typed(
    printer: Printer, attributes: Mapping[str, Attribute], *types: Attribute, hidden: Sequence[str] = ()
) -> None:
    """Prints the end of most operations: attributes that are not `hidden`, a colon and types."""
    printer.print_op_attributes(attributes, reserved_attr_names=hidden)
    printer.print_string(" : ")
    printer.print_list(types, printer.print_attribute)


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Prints `%a, %b : f32, i32`."""
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([value.type for value in values], printer.print_attribute)
