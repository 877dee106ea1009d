"""Operations of upstream's scf dialect that xDSL lacks, as rows: loops over tensors whose parts are put together."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build
from hologram.dialects.custom.rows import Form, Row, RowOp, need, operation
from hologram.dialects.custom.syntax import (
    ended_by,
    parse_assignments,
    parse_body,
    parse_results,
    parse_sizes,
    print_assignments,
    print_outputs,
    print_sizes,
    print_values,
)

_BOUNDS = ("LowerBound", "UpperBound", "Step")


def _parse_forall(kind: type[RowOp], parser: Parser) -> Operation:
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
    given = _parse_bounds(parser)
    start = parser.pos
    shared = parse_assignments(parser, "shared_outs")
    types = parse_results(parser)
    if len(types) != len(shared):
        parser.raise_error(f"{len(shared)} values are shared, and there are {len(types)} types", start, parser.pos)
    outputs = [parser.resolve_operand(value, type) for (_, value), type in zip(shared, types, strict=True)]
    arguments = [name.resolve(IndexType()) for name in names]
    arguments += [name.resolve(type) for (name, _), type in zip(shared, types, strict=True)]
    body = parse_body(parser, arguments)
    static: dict[str, Attribute] = {
        f"static{name}": DenseArrayBase.from_list(i64, numbers)
        for name, (numbers, _) in zip(_BOUNDS, given, strict=True)
    }
    attributes = static | parser.parse_optional_attr_dict()
    op = build(kind, [*(values for _, values in given), outputs], [types], attributes, [body])
    return ended_by(op, operation("scf.forall.in_parallel"), regions=[Region(Block())])


def _parse_bounds(parser: Parser) -> list[tuple[list[int], list[SSAValue]]]:
    """Parses `= (0, %a) to (4, %b) step (1, 2)`, or `in (4, %b)` of a loop that starts at 0 and goes in steps of 1."""

    def bounds() -> tuple[list[int], list[SSAValue]]:
        return parse_sizes(parser, parser.Delimiter.PAREN)

    none: list[SSAValue] = []
    if parser.parse_optional_keyword("in") is not None:
        upper = bounds()
        return [([0] * len(upper[0]), none), upper, ([1] * len(upper[0]), none)]
    parser.parse_punctuation("=")
    lower = bounds()
    parser.parse_keyword("to")
    upper = bounds()
    parser.parse_keyword("step")
    return [lower, upper, bounds()]


def _print_forall(printer: Printer, op: Any) -> None:
    rank = len(op.staticUpperBound)
    arguments = op.body.block.args
    printer.print_string(" ")
    print_values(printer, arguments[:rank])
    bounds = [([*getattr(op, f"static{n}").iter_values()], getattr(op, f"dynamic{n}")) for n in _BOUNDS]
    plain = bounds[0][0] == [0] * rank and bounds[2][0] == [1] * rank
    for word, (numbers, values) in zip(("=", "in" if plain else "to", "step"), bounds, strict=True):
        if not plain or word == "in":
            printer.print_string(f" {word} ")
            with printer.in_parens():
                print_sizes(printer, numbers, values)
    if op.outputs:
        printer.print_string(" shared_outs(")
        print_assignments(printer, arguments[rank:], op.outputs)
        printer.print_string(")")
        print_outputs(printer, op.results_.types)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_block_terminators=bool(op.outputs))
    printer.print_op_attributes(op.attributes | ({"mapping": op.mapping} if op.mapping is not None else {}))


def _check_forall(op: Any) -> None:
    rank = len(op.staticUpperBound)
    for name in _BOUNDS:
        numbers = [*getattr(op, f"static{name}").iter_values()]
        values = getattr(op, f"dynamic{name}")
        need(len(numbers) == rank, "'scf.forall' has as many lower bounds and steps as upper bounds")
        need(numbers.count(DYNAMIC_INDEX) == len(values), "'scf.forall' has other bounds that are values than it says")
    wanted = [IndexType()] * rank + [*op.outputs.types]
    need([*op.body.block.arg_types] == wanted, "the body of 'scf.forall' takes its indices and what is shared")
    need([*op.results_.types] == [*op.outputs.types], "the results of 'scf.forall' have the types of what is shared")
    last = op.body.block.last_op
    need(last is not None and last.name == "scf.forall.in_parallel", "'scf.forall' ends with 'scf.forall.in_parallel'")
    mapping = op.mapping
    need(mapping is None or len(mapping) in (0, rank), "the mapping of 'scf.forall' has an attribute for each index")


def _parse_in_parallel(kind: type[RowOp], parser: Parser) -> Operation:
    body = parse_body(parser)
    return build(kind, [], [], parser.parse_optional_attr_dict(), [body])


def _print_in_parallel(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_region(op.region, print_empty_block=False)
    printer.print_op_attributes(op.attributes)


def _check_in_parallel(op: Any) -> None:
    for inside in op.region.block.ops:
        need(inside.name == "tensor.parallel_insert_slice", f"'{inside.name}' inserts nothing in parallel")


ROWS = [
    Row(
        "scf.forall",
        "A loop whose iterations may run at once; what each inserts into the shared tensors is put together.",
        operands="dynamicLowerBound:index* dynamicUpperBound:index* dynamicStep:index* outputs:ranked_tensor*",
        results="results_:ranked_tensor*",
        properties="staticLowerBound:i64_array staticUpperBound:i64_array staticStep:i64_array mapping:array?",
        regions="body:block",
        form=Form(_parse_forall, _print_forall),
        traits="effects_within",
        check=_check_forall,
    ),
    Row(
        "scf.forall.in_parallel",
        "What an iteration of `scf.forall` inserts into the shared tensors.",
        regions="region:block",
        form=Form(_parse_in_parallel, _print_in_parallel),
        traits="ends_block open_block in:scf.forall",
        check=_check_in_parallel,
    ),
]
