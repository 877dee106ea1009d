"""How an operation is read and written: by functions, or by an assembly format of xDSL's; and parts of syntax that
operations share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException


@dataclass(frozen=True)
class Syntax:
    """How an operation is read, and how it is written."""

    parse: Callable[[Parser], Operation]
    print: Callable[[Printer, Any], None] | None = None


def by_format(kind: type[Any], text: str) -> Syntax:
    """The syntax that an assembly format is."""
    from xdsl.irdl.declarative_assembly_format import FormatProgram  # noqa: TID251 - xdsl.irdl does not have it.

    program = FormatProgram.from_str(text, kind.get_irdl_definition())
    return Syntax(lambda parser: program.parse(parser, kind), program.print)


def parse_body(parser: Parser, arguments: Sequence[Parser.Argument] | None = None) -> Region:
    """Parses a region, which has a block at least."""
    region = parser.parse_region(arguments)
    if not region.blocks:
        region.add_block(Block(arg_types=[a.type for a in arguments or ()]))
    return region


def ended(op: Operation) -> Operation:
    """An operation whose blocks have the terminators that may be left out. A region without blocks stays empty."""
    for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
        ended_by(op, trait.op_type)
    return op


def ended_by(op: Operation, terminator: type[Operation], regions: Sequence[Region] = ()) -> Operation:
    """An operation whose blocks end with a terminator without operands, where they have none; `regions` are its.

    Raises VerifyException where one has a terminator of another dialect: a brace is missing, most often.
    """
    for block in (block for region in op.regions for block in region.blocks):
        last = block.last_op
        if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
            block.add_op(terminator.create(regions=regions))
        elif last.dialect_name() != terminator.dialect_name():
            message = f"'{op.name}' terminates with operation {last.name} instead of {terminator.name}"
            raise VerifyException(message)
    return op


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Prints values in parentheses."""
    with printer.in_parens():
        printer.print_list(values, printer.print_ssa_value)


def parse_outputs(parser: Parser) -> list[Attribute]:
    """Parses `-> (f32, i32)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)


def parse_results(parser: Parser) -> list[Attribute]:
    """Parses `-> (f32, i32)`, or `-> f32` of one type, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if several is None else [*several]


def parse_assignments(
    parser: Parser, keyword: str | None = None
) -> list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]]:
    """Parses `iter_args(%a = %x, %b = %y)` with another keyword or without one, or nothing."""

    def assignment() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return argument, parser.parse_unresolved_operand()

    if keyword is None:
        return parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, assignment) or []
    if parser.parse_optional_keyword(keyword) is None:
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, assignment)


def print_assignments(printer: Printer, names: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Prints `%a = %x, %b = %y`."""

    def assignment(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    printer.print_list(zip(names, values, strict=True), assignment)


def print_outputs(printer: Printer, types: Sequence[Attribute]) -> None:
    """Prints what `parse_outputs` reads."""
    if types:
        printer.print_string(" -> ")
        with printer.in_parens():
            printer.print_list(types, printer.print_attribute)


def parse_sizes(parser: Parser, delimiter: Parser.Delimiter) -> tuple[list[int], list[SSAValue]]:
    """Parses `(2, %n, 5)`, or the like in other brackets: sizes that are known, and those that are values."""
    values: list[SSAValue] = []

    def size() -> int:
        if (value := parser.parse_optional_unresolved_operand()) is None:
            return parser.parse_integer()
        values.append(parser.resolve_operand(value, IndexType()))
        return DYNAMIC_INDEX

    return parser.parse_comma_separated_list(delimiter, size), values


def print_sizes(printer: Printer, sizes: Sequence[int], values: Sequence[SSAValue]) -> None:
    """Prints what `parse_sizes` reads, without the brackets."""
    given = iter(values)

    def size(number: int) -> None:
        if number == DYNAMIC_INDEX:
            printer.print_ssa_value(next(given))
        else:
            printer.print_string(str(number))

    printer.print_list(sizes, size)
