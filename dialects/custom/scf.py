"""Custom syntax of `scf`: loops with results of one type without parentheses, and parallel loops."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.syntax import (
    Syntax,
    ended,
    parse_assignments,
    parse_body,
    parse_results,
    print_outputs,
    print_values,
)


def _parse_if(parser: Parser) -> Operation:
    condition = parser.parse_operand(i1)
    types = parse_results(parser)
    then = parse_body(parser)
    other = parse_body(parser) if parser.parse_optional_keyword("else") else Region()
    return ended(scf.IfOp(condition, types, then, other, parser.parse_optional_attr_dict()))


def _parse_for(parser: Parser) -> Operation:
    name = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    start = parser.parse_unresolved_operand()
    parser.parse_keyword("to")
    stop = parser.parse_unresolved_operand()
    parser.parse_keyword("step")
    step = parser.parse_unresolved_operand()
    carried = parse_assignments(parser, "iter_args")
    types = parse_results(parser) if carried else []
    if len(types) != len(carried):
        parser.raise_error(f"the loop carries {len(carried)} values, and gives {len(types)} types")
    kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    bounds = [parser.resolve_operand(v, kind) for v in (start, stop, step)]
    starts = [parser.resolve_operand(v, t) for (_, v), t in zip(carried, types, strict=True)]
    arguments = [name.resolve(kind), *(a.resolve(t) for (a, _), t in zip(carried, types, strict=True))]
    body = parse_body(parser, arguments)
    op = scf.ForOp(bounds[0], bounds[1], bounds[2], starts, body)
    op.attributes |= parser.parse_optional_attr_dict()
    return op if carried else ended(op)


def _parse_parallel(parser: Parser) -> Operation:
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
    values: list[list[SSAValue]] = []
    for word in ("=", "to", "step"):
        parser.parse_punctuation(word) if word == "=" else parser.parse_keyword(word)
        given = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        values.append([parser.resolve_operand(v, IndexType()) for v in given])
    starts = (
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        if parser.parse_optional_keyword("init")
        else []
    )
    types = parse_results(parser)
    initial = parser.resolve_operands(starts, types, parser.pos)
    body = parse_body(parser, [name.resolve(IndexType()) for name in names])
    op = scf.ParallelOp(values[0], values[1], values[2], body, initial)
    op.attributes |= parser.parse_optional_attr_dict()
    return ended(op)


def _print_parallel(printer: Printer, op: scf.ParallelOp) -> None:
    printer.print_string(" ")
    print_values(printer, op.body.block.args)
    for word, values in ((" = ", op.lowerBound), (" to ", op.upperBound), (" step ", op.step)):
        printer.print_string(word)
        print_values(printer, values)
    if op.initVals:
        printer.print_string(" init ")
        print_values(printer, op.initVals)
        print_outputs(printer, op.res.types)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_block_terminators=bool(op.initVals))
    printer.print_op_attributes(op.attributes)


SYNTAX = {
    "scf.for": Syntax(_parse_for),
    "scf.if": Syntax(_parse_if),
    "scf.parallel": Syntax(_parse_parallel, _print_parallel),
}
