"""Operations of upstream's memref dialect that no pass of ours names, as rows."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, NoneAttr
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, parse_names, parse_types, print_dict, print_names
from hologram.dialects.custom.rows import Form, Row, RowOp, need


def _parse_same(kind: type[RowOp], parser: Parser) -> Operation:
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    types = parse_types(parser)
    return build(kind, [parser.resolve_operands(names, types, parser.pos)], [types], attributes)


def _print_same(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(" : ")
    printer.print_list([value.type for value in op.operands], printer.print_attribute)


def _check_distinct(op: Any) -> None:
    need(bool(op.operands), f"'{op.name}' has an operand at least")
    need(op.operand_types == op.result_types, f"'{op.name}' gives memrefs of the types that it takes")


def _parse_realloc(kind: type[RowOp], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    size: list[SSAValue] = []
    if parser.parse_optional_punctuation("(") is not None:
        size = [parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())]
        parser.parse_punctuation(")")
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("to")
    return build(kind, [parser.resolve_operand(source, type), size], [parser.parse_type()], attributes)


def _print_realloc(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.source)
    if op.dynamicResultSize is not None:
        with printer.in_parens():
            printer.print_ssa_value(op.dynamicResultSize)
    print_dict(printer, op)
    printer.print_string(f" : {op.source.type} to {op.results[0].type}")


def _check_realloc(op: Any) -> None:
    source, result = op.source.type, op.results[0].type
    need(source.get_num_dims() == result.get_num_dims() == 1, f"'{op.name}' takes and gives memrefs of one axis")
    alike = (source.element_type, source.memory_space) == (result.element_type, result.memory_space)
    need(alike, f"'{op.name}' keeps elements and memory space, but makes {result} of {source}")
    number = 1 if op.alignment is None else op.alignment.value.data
    need(number > 0 and not number & (number - 1), f"the alignment of '{op.name}' is a power of two, not {number}")
    need(_is_plain(source) and _is_plain(result), f"'{op.name}' takes memrefs without a layout")
    is_known = result.get_shape()[0] != DYNAMIC_INDEX
    need(is_known == (op.dynamicResultSize is None), f"'{op.name}' has a size where {result} has none")


def _is_plain(type: Any) -> bool:
    return type.name != "memref" or isinstance(type.layout, NoneAttr)


def _check_reshape(op: Any) -> None:
    source, result, shape = op.source.type, op.result.type, op.shape.type
    need(source.element_type == result.element_type, f"'{op.name}' keeps the elements of {source}")
    need(shape.get_num_dims() == 1, f"'{op.name}' has its shape in a memref of one axis")
    for type in (source, result):
        need(_is_plain(type), f"'{op.name}' takes memrefs without a layout, and {type} has one")
    count = shape.get_shape()[0]
    fits = result.name != "memref" or count == result.get_num_dims()
    need(fits, f"'{op.name}' has as many sizes as {result} has axes, not those of {shape}")


ROWS = [
    Row(
        "memref.distinct_objects", "The same memrefs, with the promise that no two of them share memory.",
        "operands_:memref*", "results_:memref*",
        form=Form(_parse_same, _print_same), traits="pure", check=_check_distinct,
    ),
    Row(
        "memref.realloc", "Memory of another size with the elements of one that is freed, as many as there are.",
        "source:ranked_memref dynamicResultSize:index?", "replacement:ranked_memref", "alignment:i64_attr?",
        form=Form(_parse_realloc, _print_realloc), traits="allocates frees reads writes", check=_check_realloc,
    ),
    Row(
        "memref.reshape", "The same elements with the sizes that a memref of one axis holds.",
        "source:memref shape:ranked_memref", "result:memref",
        form="$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
        traits="pure", check=_check_reshape,
    ),
]  # fmt: skip
"""The operations, in the order of their names."""
