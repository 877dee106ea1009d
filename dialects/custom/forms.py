"""Ways to write operations that several rows share, and parts of the functions that parse and print them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hologram.dialects.custom.rows import Form, RowOp


def build(
    kind: type[IRDLOperation],
    operands: Sequence[SSAValue | Sequence[SSAValue]],
    results: Sequence[Attribute | Sequence[Attribute]],
    attributes: Mapping[str, Attribute],
    regions: Sequence[Region | Sequence[Region]] = (),
    successors: Sequence[Block | Sequence[Block]] = (),
) -> Operation:
    """An operation; those of its attributes that it declares are properties."""
    declared = kind.get_irdl_definition().properties
    properties = {name: value for name, value in attributes.items() if name in declared}
    others = {name: value for name, value in attributes.items() if name not in declared}
    return kind.build(
        operands=operands,
        result_types=results,
        properties=properties,
        attributes=others,
        regions=regions,
        successors=successors,
    )


def parse_names(parser: Parser) -> list[UnresolvedOperand]:
    """Parses `%a, %b`."""
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)


def parse_types(parser: Parser) -> list[Attribute]:
    """Parses `: f32, i32`."""
    parser.parse_punctuation(":")
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def parse_target(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    """Parses where a branch goes: `^block(%a, %b : i32, f32)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, ()
    names, types = parse_names(parser), parse_types(parser)
    parser.parse_punctuation(")")
    return block, parser.resolve_operands(names, types, parser.pos)


def print_target(printer: Printer, block: Block, values: Sequence[SSAValue]) -> None:
    """Prints what `parse_target` parses."""
    printer.print_block_name(block)
    if values:
        with printer.in_parens():
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([value.type for value in values], printer.print_attribute)


def print_names(printer: Printer, op: Operation) -> None:
    """Prints the operands, behind a space."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)


def print_dict(printer: Printer, op: Operation, *hidden: str) -> None:
    """Prints properties and attributes by name, without the hidden ones and those that have their default."""
    segments = ("operandSegmentSizes", "resultSegmentSizes")
    defaults: Mapping[str, Attribute] = getattr(op, "DEFAULTS", {})
    shown = {n: a for n, a in op.properties.items() if defaults.get(n) != a and n not in segments}
    printer.print_op_attributes(dict(sorted((shown | op.attributes).items())), reserved_attr_names=hidden)


def formatted(text: str) -> Form:
    """What an assembly format says, for the class that is met."""

    @cache
    def program(kind: type[Any]) -> Any:
        from xdsl.irdl.declarative_assembly_format import FormatProgram  # noqa: TID251 - xdsl.irdl does not have it.

        return FormatProgram.from_str(text, kind.get_irdl_definition())

    return Form(
        lambda kind, parser: program(kind).parse(parser, kind),
        lambda printer, op: program(op.__class__).print(printer, op),
    )


def pair(word: str, results: Callable[[Attribute], list[Attribute]] | None = None) -> Form:
    """`%a, %b : T -> R`, where all operands are of one type, and `word` stands between the types.

    `results` gives the types of the results from the one that is read, which is one result without it.
    """

    def parse(kind: type[RowOp], parser: Parser) -> Operation:
        names = parse_names(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        _parse_word(parser, word)
        result = parser.parse_type()
        operands = [parser.resolve_operand(name, type) for name in names]
        return build(kind, operands, [result] if results is None else results(result), attributes)

    def print(printer: Printer, op: Any) -> None:
        print_names(printer, op)
        print_dict(printer, op)
        printer.print_string(f" : {op.operands[0].type} {word} {op.results[0].type}")

    return Form(parse, print)


def _parse_word(parser: Parser, word: str) -> None:
    if word.isalpha():
        parser.parse_keyword(word)
    else:
        parser.parse_punctuation("->" if word == "->" else ",")
