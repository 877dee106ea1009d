"""Custom syntax of `cf`: branches with weights."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, i1, i32
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import parse_target, print_target
from hologram.dialects.custom.rows import Form


def _parse_choice(kind: type[Any], parser: Parser) -> Operation:
    condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
    attributes: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("weights") is not None:
        with parser.in_parens():
            numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        attributes["branch_weights"] = DenseArrayBase.from_list(i32, numbers)
    parser.parse_punctuation(",")
    first, given = parse_target(parser)
    parser.parse_punctuation(",")
    second, others = parse_target(parser)
    attributes |= parser.parse_optional_attr_dict()
    return kind.build(operands=[[condition], given, others], successors=[first, second], attributes=attributes)


def _print_choice(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    if (weights := op.attributes.get("branch_weights")) is not None:
        printer.print_string(f" weights([{', '.join(map(str, weights.get_values()))}])")
    for block, values in ((op.then_block, op.then_arguments), (op.else_block, op.else_arguments)):
        printer.print_string(", ")
        print_target(printer, block, values)
    printer.print_op_attributes(op.attributes, reserved_attr_names=("branch_weights",))


SYNTAX = {"cf.cond_br": Form(_parse_choice, _print_choice)}
