"""Custom syntax of `scf`: loops with results of one type without parentheses, and parallel loops."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.operands import parse_operands, print_types
from hologram.dialects.custom.syntax import (
    Syntax,
    ended,
    parse_assignments,
    parse_body,
    parse_results,
    print_assignments,
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
    start_at = parser.pos
    unsigned = parser.parse_optional_keyword("unsigned") is not None
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
        message = f"the loop carries {len(carried)} values, and gives {len(types)} types"
        parser.raise_error(message, start_at, parser.pos)
    kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    bounds = [parser.resolve_operand(v, kind) for v in (start, stop, step)]
    starts = [parser.resolve_operand(v, t) for (_, v), t in zip(carried, types, strict=True)]
    arguments = [name.resolve(kind), *(a.resolve(t) for (a, _), t in zip(carried, types, strict=True))]
    body = parse_body(parser, arguments)
    properties: dict[str, Attribute] = {"unsignedCmp": UnitAttr()} if unsigned else {}
    made = parser.ctx.get_op("scf.for").create(
        operands=[*bounds, *starts], result_types=types, properties=properties, regions=[body],
        attributes=parser.parse_optional_attr_dict(),
    )  # fmt: skip
    return made if carried else ended(made)


def _print_for(printer: Printer, op: scf.ForOp) -> None:
    index, *carried = op.body.block.args
    printer.print_string(" unsigned " if "unsignedCmp" in op.properties else " ")
    printer.print_ssa_value(index)
    for word, value in (("=", op.lb), ("to", op.ub), ("step", op.step)):
        printer.print_string(f" {word} ")
        printer.print_ssa_value(value)
    if carried:
        printer.print_string(" iter_args(")
        print_assignments(printer, carried, op.iter_args)
        printer.print_string(")")
        print_outputs(printer, op.res.types)
    if not isinstance(index.type, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(index.type)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_block_terminators=bool(carried))
    printer.print_op_attributes(op.attributes)


def _parse_while(parser: Parser) -> Operation:
    carried = parse_assignments(parser)
    parser.parse_punctuation(":")
    start = parser.pos
    type = parser.parse_function_type()
    if len(carried) != len(type.inputs):
        message = f"{len(carried)} values are carried, and there are {len(type.inputs)} types"
        parser.raise_error(message, start, parser.pos)
    operands = [parser.resolve_operand(v, t) for (_, v), t in zip(carried, type.inputs, strict=True)]
    before = parse_body(parser, [a.resolve(t) for (a, _), t in zip(carried, type.inputs, strict=True)])
    parser.parse_keyword("do")
    after = parse_body(parser)
    op = scf.WhileOp(operands, [*type.outputs], before, after)
    given = parser.parse_optional_attr_dict_with_keyword()
    op.attributes |= given.data if given is not None else {}
    return op


def _print_while(printer: Printer, op: scf.WhileOp) -> None:
    printer.print_string(" ")
    if op.arguments:
        printer.print_string("(")
        print_assignments(printer, op.before_region.block.args, op.arguments)
        printer.print_string(") ")
    printer.print_string(": ")
    printer.print_operation_type(op)
    printer.print_string(" ")
    printer.print_region(op.before_region, print_entry_block_args=False)
    printer.print_string(" do ")
    printer.print_region(op.after_region)
    if op.attributes:
        printer.print_op_attributes(op.attributes, print_keyword=True)


def _parse_execute_region(parser: Parser) -> Operation:
    types = parse_results(parser)
    properties: dict[str, Attribute] = {"no_inline": UnitAttr()} if parser.parse_optional_keyword("no_inline") else {}
    kind = parser.ctx.get_op("scf.execute_region")
    body = parser.parse_region()
    return kind.create(
        result_types=types, properties=properties, regions=[body], attributes=parser.parse_optional_attr_dict()
    )


def _print_execute_region(printer: Printer, op: scf.ExecuteRegionOp) -> None:
    print_types(printer, op.outs.types)
    printer.print_string(" no_inline " if "no_inline" in op.properties else " ")
    printer.print_region(op.region, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes)


def _parse_reduce(parser: Parser) -> Operation:
    operands = parse_operands(parser)
    regions: list[Region] = []
    if (first := parser.parse_optional_region()) is not None:
        regions.append(first)
        while parser.parse_optional_punctuation(",") is not None:
            regions.append(parse_body(parser))
    op = scf.ReduceOp(operands, regions)
    op.attributes |= parser.parse_optional_attr_dict()
    return op


def _print_reduce(printer: Printer, op: scf.ReduceOp) -> None:
    if op.args:
        printer.print_string("(")
        printer.print_list(op.args, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(op.args.types, printer.print_attribute)
        printer.print_string(")")
    if op.reductions:
        printer.print_string(" ")
        printer.print_list(op.reductions, printer.print_region)
    printer.print_op_attributes(op.attributes)


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
    "scf.execute_region": Syntax(_parse_execute_region, _print_execute_region),
    "scf.for": Syntax(_parse_for, _print_for),
    "scf.if": Syntax(_parse_if),
    "scf.parallel": Syntax(_parse_parallel, _print_parallel),
    "scf.reduce": Syntax(_parse_reduce, _print_reduce),
    "scf.while": Syntax(_parse_while, _print_while),
}
