"""Operands as linalg's operations have them, `ins(%a, %b : ...) outs(%c : ...) -> ...`, and lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer


def parse_operands(parser: Parser, keyword: str | None = None) -> list[SSAValue]:
    """Parses `ins(%a, %b : f32, f32)` with some keyword or without one, or nothing."""
    if keyword is not None and parser.parse_optional_keyword(keyword) is None:
        return []
    if keyword is not None:
        parser.parse_punctuation("(")
    elif parser.parse_optional_punctuation("(") is None:
        return []
    start = parser.pos
    values = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return [*parser.resolve_operands(values, types, start)]


def print_operands(
    printer: Printer, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], results: Sequence[Attribute]
) -> None:
    """Prints the operands, and the results if there are any."""
    for keyword, values in (("ins", inputs), ("outs", outputs)):
        if values:
            printer.print_string(f" {keyword}(")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in values], printer.print_attribute)
            printer.print_string(")")
    print_types(printer, results)


def print_types(printer: Printer, results: Sequence[Attribute]) -> None:
    """Prints `-> f32` of one type, `-> (f32, i32)` of several, or nothing."""
    if not results:
        return
    printer.print_string(" -> ")
    if len(results) == 1:
        printer.print_attribute(results[0])
        return
    with printer.in_parens():
        printer.print_list(results, printer.print_attribute)


def parse_numbers(parser: Parser, keyword: str = "") -> DenseArrayBase:
    """Parses `dimensions = [0, 1]` with some keyword, or what is left of that."""
    if keyword:
        parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, numbers)


def print_numbers(printer: Printer, keyword: str, numbers: Any) -> None:
    """Prints what `parse_numbers` reads."""
    printer.print_string(f" {keyword} = [{', '.join(map(str, numbers.iter_values()))}]")
