"""Operations of upstream's affine dialect that xDSL lacks, or has otherwise, as rows: loops, vectors, hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.affine import YieldOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.affine import print_expression, print_indices
from hologram.dialects.custom.forms import build
from hologram.dialects.custom.rows import Form, Row, RowOp, need
from hologram.dialects.custom.syntax import ended_by, parse_body, parse_results, print_outputs, print_values

_REDUCTIONS = "addf addi assign maximumf maxs maxu minimumf mins minu mulf muli ori andi maxnumf minnumf xori".split()
"""How the values of iterations are put together; upstream numbers them in this order."""


def _parse_parallel(kind: type[RowOp], parser: Parser) -> Operation:
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
    operands: list[SSAValue] = []
    attributes: dict[str, Attribute] = {}
    steps = [1] * len(names)
    for word, choice, name in (("=", "max", "lower"), ("to", "min", "upper")):
        parser.parse_punctuation("=") if word == "=" else parser.parse_keyword(word)
        map, values, sizes = cast("Any", parser).parse_affine_bounds(choice)
        attributes[f"{name}BoundsMap"] = AffineMapAttr(map)
        attributes[f"{name}BoundsGroups"] = DenseIntElementsAttr.from_list(TensorType(i32, [len(sizes)]), sizes)
        operands += values
    if parser.parse_optional_keyword("step") is not None:
        steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
    reductions: list[int] = []
    if parser.parse_optional_keyword("reduce") is not None:
        reductions = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_reduction(parser))
    results = parse_results(parser)
    attributes["steps"] = ArrayAttr(IntegerAttr(step, i64) for step in steps)
    attributes["reductions"] = ArrayAttr(IntegerAttr(number, i64) for number in reductions)
    body = parse_body(parser, [name.resolve(IndexType()) for name in names])
    attributes |= parser.parse_optional_attr_dict()
    return ended_by(build(kind, [operands], [results], attributes, [body]), YieldOp)


def _parse_reduction(parser: Parser) -> int:
    start = parser.pos
    word = parser.parse_str_literal()
    if word not in _REDUCTIONS:
        parser.raise_error(f"there is no reduction '{word}', but {', '.join(_REDUCTIONS)}", start, parser.pos)
    return _REDUCTIONS.index(word)


def bounds_of(op: Any) -> list[tuple[AffineMap, Sequence[SSAValue]]]:
    """The maps of the lower and upper bounds, each with its operands."""
    lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
    count = lower.num_dims + lower.num_symbols
    return [(lower, op.mapOperands[:count]), (upper, op.mapOperands[count:])]


def _print_parallel(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    print_values(printer, op.body.block.args)
    groups = (op.lowerBoundsGroups, op.upperBoundsGroups)
    for word, choice, (map, values), sizes in zip(("=", "to"), ("max", "min"), bounds_of(op), groups, strict=True):
        printer.print_string(f" {word} (")
        results = iter(map.results)
        for place, size in enumerate(sizes.iter_values()):
            printer.print_string(", " if place else "")
            printer.print_string(f"{choice}(" if size != 1 else "")
            some = [next(results) for _ in range(size)]
            printer.print_list(some, lambda expr, map=map, values=values: print_expression(printer, map, values, expr))
            printer.print_string(")" if size != 1 else "")
        printer.print_string(")")
    steps = [step.value.data for step in op.steps]
    if any(step != 1 for step in steps):
        printer.print_string(f" step ({', '.join(str(step) for step in steps)})")
    if op.results:
        words = (f'"{_REDUCTIONS[number.value.data]}"' for number in op.reductions)
        printer.print_string(f" reduce ({', '.join(words)})")
        print_outputs(printer, op.result_types)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_block_terminators=bool(op.results))
    printer.print_op_attributes(op.attributes)


def _check_parallel(op: Any) -> None:
    block = op.body.block
    groups = [[*g.iter_values()] for g in (op.lowerBoundsGroups, op.upperBoundsGroups)]
    rank = len(block.args)
    counts = {rank, len(op.steps), len(groups[0]), len(groups[1])}
    need(counts == {rank}, "'affine.parallel' has a lower bound, an upper bound and a step for each index")
    need([*block.arg_types] == [IndexType()] * rank, "the body of 'affine.parallel' takes its indices")
    for (map, values), sizes in zip(bounds_of(op), groups, strict=True):
        need(len(values) == map.num_dims + map.num_symbols, "'affine.parallel' has the operands of its bounds")
        fits = sum(sizes) == len(map.results) and 0 not in sizes
        need(fits, "each bound of 'affine.parallel' has a result at least")
    need(all(step.value.data > 0 for step in op.steps), "the steps of 'affine.parallel' are positive")
    need(len(op.reductions) == len(op.results), "'affine.parallel' has a reduction for each result")
    for number, type in zip(op.reductions, op.result_types, strict=True):
        kind = cast("int", number.value.data)
        need(0 <= kind < len(_REDUCTIONS), f"there is no reduction of number {kind}")
        word = _REDUCTIONS[kind]
        fits = isinstance(type, AnyFloat) == word.endswith("f") or word == "assign"
        need(fits, f"the reduction '{word}' is not one of {type}")
    last = block.last_op
    given = [] if last is None else [*last.operand_types]
    need(given == [*op.result_types], "the body of 'affine.parallel' yields what it gives")


def _parse_place(parser: Parser) -> tuple[Any, AffineMapAttr, list[SSAValue]]:
    """Parses `%m[%i + 1]`."""
    buffer = parser.parse_unresolved_operand()
    map, indices = parser.parse_affine_map_of_ssa_ids()
    return buffer, AffineMapAttr(map), [*indices]


def _parse_vector_load(kind: type[RowOp], parser: Parser) -> Operation:
    buffer, map, indices = _parse_place(parser)
    attributes = {"map": map} | parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_punctuation(",")
    result = parser.parse_type()
    return build(kind, [parser.resolve_operand(buffer, type), indices], [result], attributes)


def _parse_vector_store(kind: type[RowOp], parser: Parser) -> Operation:
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    buffer, map, indices = _parse_place(parser)
    attributes = {"map": map} | parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_punctuation(",")
    stored = parser.resolve_operand(value, parser.parse_type())
    return build(kind, [stored, parser.resolve_operand(buffer, type), indices], [], attributes)


def _print_vector(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    if not op.results:
        printer.print_ssa_value(op.value)
        printer.print_string(", ")
    printer.print_ssa_value(op.memref)
    print_indices(printer, op.map.data, op.indices)
    printer.print_op_attributes(op.attributes)
    vector = op.results[0] if op.results else op.value
    printer.print_string(f" : {op.memref.type}, {vector.type}")


def _check_access(op: Any) -> None:
    map = op.map.data
    need(len(op.indices) == map.num_dims + map.num_symbols, f"'{op.name}' has the operands of its map")
    rank = len(op.memref.type.get_shape())
    need(len(map.results) == rank, f"'{op.name}' has {len(map.results)} indices for {rank} axes")


def _check_vector(op: Any) -> None:
    _check_access(op)
    vector = op.results[0].type if op.results else op.value.type
    need(vector.element_type == op.memref.type.element_type, f"{vector} has other elements than {op.memref.type}")


def _parse_prefetch(kind: type[RowOp], parser: Parser) -> Operation:
    buffer, map, indices = _parse_place(parser)
    words: list[str] = []
    parser.parse_punctuation(",")
    words.append(parser.parse_identifier())
    parser.parse_punctuation(",")
    parser.parse_keyword("locality")
    parser.parse_punctuation("<")
    hint = parser.parse_integer()
    parser.parse_punctuation(">")
    parser.parse_punctuation(",")
    words.append(parser.parse_identifier())
    if words[0] not in ("read", "write") or words[1] not in ("data", "instr"):
        parser.raise_error("a prefetch is a 'read' or 'write' of 'data' or 'instr'")
    attributes: dict[str, Attribute] = {
        "map": map, "isWrite": BoolAttr.from_bool(words[0] == "write"), "localityHint": IntegerAttr(hint, i32),
        "isDataCache": BoolAttr.from_bool(words[1] == "data"),
    }  # fmt: skip
    attributes |= parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return build(kind, [parser.resolve_operand(buffer, parser.parse_type()), indices], [], attributes)


def _print_prefetch(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.memref)
    print_indices(printer, op.map.data, op.indices)
    words = ("write" if op.isWrite.value.data else "read", "data" if op.isDataCache.value.data else "instr")
    printer.print_string(f", {words[0]}, locality<{op.localityHint.value.data}>, {words[1]}")
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.memref.type}")


def _check_prefetch(op: Any) -> None:
    _check_access(op)
    need(0 <= op.localityHint.value.data <= 3, "the locality of 'affine.prefetch' is from 0 to 3")


ROWS = [
    Row(
        "affine.parallel",
        "A loop whose iterations may run at once; what they yield is put together by reductions.",
        operands="mapOperands:index*",
        results="results_:any*",
        properties="reductions:array lowerBoundsMap:affine_map lowerBoundsGroups:dense"
        " upperBoundsMap:affine_map upperBoundsGroups:dense steps:array",
        regions="body:block",
        form=Form(_parse_parallel, _print_parallel),
        traits="effects_within",
        check=_check_parallel,
    ),
    Row(
        "affine.prefetch",
        "A hint that an element will be read or written soon.",
        operands="memref:ranked_memref indices:index*",
        properties="isWrite:bool localityHint:i32_attr isDataCache:bool map:affine_map",
        form=Form(_parse_prefetch, _print_prefetch),
        check=_check_prefetch,
    ),
    Row(
        "affine.vector_load",
        "A vector of elements side by side.",
        operands="memref:ranked_memref indices:index*",
        results="result:vector",
        properties="map:affine_map",
        form=Form(_parse_vector_load, _print_vector),
        traits="reads",
        check=_check_vector,
    ),
    Row(
        "affine.vector_store",
        "Puts a vector's elements side by side.",
        operands="value:vector memref:ranked_memref indices:index*",
        properties="map:affine_map",
        form=Form(_parse_vector_store, _print_vector),
        traits="writes",
        check=_check_vector,
    ),
]
