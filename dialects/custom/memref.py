"""Custom syntax of `memref`: casts, copies, scopes of allocations, globals, atomic operations and transfers."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hologram.dialects.custom.atomic_kinds import KINDS
from hologram.dialects.custom.forms import build, formatted, print_dict
from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import Syntax, parse_body, parse_results, print_outputs


def _parse_scope(parser: Parser) -> Operation:
    types = parse_results(parser)
    body = parse_body(parser)
    if (block := body.blocks.last) is not None and (block.last_op is None or not _is_scope_end(block.last_op)):
        block.add_op(memref.AllocaScopeReturnOp.build(operands=[[]]))
    return memref.AllocaScopeOp.build(
        result_types=[types], regions=[body], attributes=parser.parse_optional_attr_dict()
    )


def _is_scope_end(op: Operation) -> bool:
    return isinstance(op, memref.AllocaScopeReturnOp)


def _print_scope(printer: Printer, op: memref.AllocaScopeOp) -> None:
    print_outputs(printer, op.res.types)
    printer.print_string(" ")
    printer.print_region(op.scope, print_block_terminators=bool(op.res))
    printer.print_op_attributes(op.attributes)


def _parse_place(parser: Parser) -> tuple[UnresolvedOperand, list[SSAValue]]:
    """Parses `%m[%i, %j]`."""
    return parser.parse_unresolved_operand(), _parse_indices(parser)


def _parse_indices(parser: Parser) -> list[SSAValue]:
    names = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    return [parser.resolve_operand(name, IndexType()) for name in names]


def _print_place(printer: Printer, memref: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(memref)
    with printer.in_square_brackets():
        printer.print_list(indices, printer.print_ssa_value)


def _parse_atomic(kind: type[Any], parser: Parser) -> Operation:
    start = parser.pos
    word = parser.parse_optional_str_literal() or parser.parse_identifier()
    if word not in KINDS:
        parser.raise_error(f"'{word}' is no atomic operation; those are {', '.join(KINDS)}", start)
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    place, indices = _parse_place(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    result = parser.parse_type()
    first, second = parser.resolve_operands([value, place], types, start)
    number = IntegerAttr(KINDS.index(word), i64)
    return build(kind, [first, second, indices], [result], {**attributes, "kind": number})


def _print_atomic(printer: Printer, op: Any) -> None:
    printer.print_string(f" {KINDS[op.kind.value.data]} ")
    printer.print_ssa_value(op.value)
    printer.print_string(", ")
    _print_place(printer, op.memref, op.indices)
    print_dict(printer, op, "kind")
    printer.print_string(f" : ({op.value.type}, {op.memref.type}) -> {op.result.type}")


def _parse_generic_atomic(kind: type[Any], parser: Parser) -> Operation:
    place, indices = _parse_place(parser)
    parser.parse_punctuation(":")
    type: Any = parser.parse_type()
    body = parser.parse_region()
    operands = [parser.resolve_operand(place, type), indices]
    return build(kind, operands, [type.element_type], parser.parse_optional_attr_dict(), [body])


def _print_generic_atomic(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    _print_place(printer, op.memref, op.indices)
    printer.print_string(f" : {op.memref.type} ")
    printer.print_region(op.atomic_body)
    printer.print_op_attributes(op.attributes)


def _parse_transpose(kind: type[Any], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    start = parser.pos
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
    parser.parse_punctuation("->")
    order = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
    if not {*order} <= {*names}:
        parser.raise_error(f"({', '.join(order)}) has axes that are none of ({', '.join(names)})", start)
    axes = tuple(AffineExpr.dimension(names.index(name)) for name in order)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("to")
    map = AffineMapAttr(AffineMap(len(names), 0, axes))
    operand = parser.resolve_operand(source, type)
    return build(kind, [operand], [parser.parse_type()], {**attributes, "permutation": map})


def _print_transpose(printer: Printer, op: Any) -> None:
    names = ", ".join(f"d{n}" for n in range(op.permutation.data.num_dims))
    printer.print_string(" ")
    printer.print_ssa_value(op.in_)
    printer.print_string(f" ({names}) -> ({', '.join(map(str, op.permutation.data.results))})")
    print_dict(printer, op, "permutation")
    printer.print_string(f" : {op.in_.type} to {op.result.type}")


def _parse_global(kind: type[Any], parser: Parser) -> Operation:
    properties: dict[str, Attribute] = {}
    if (visibility := parser.parse_optional_str_literal()) is not None:
        properties["sym_visibility"] = StringAttr(visibility)
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    properties["type"] = type = parser.parse_type()
    if parser.parse_optional_punctuation("=") is not None:
        properties["initial_value"] = UnitAttr()
        if parser.parse_optional_keyword("uninitialized") is None:
            parser.parse_keyword("dense")
            properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(_tensor_of(parser, type))
    return build(kind, [], [], properties | parser.parse_optional_attr_dict())


def _tensor_of(parser: Parser, type: Any) -> Any:
    """The type that an initial value of a memref has."""
    if type.name != "memref":
        parser.raise_error(f"{type} is no memref whose sizes are known")
    return TensorType(type.element_type, type.shape)


def _print_global(printer: Printer, op: Any) -> None:
    visibility, value = op.sym_visibility, op.initial_value
    printer.print_string("" if visibility is None else f' "{visibility.data}"')
    printer.print_string(" " if op.constant is None else " constant ")
    printer.print_symbol_name(op.sym_name.data)
    printer.print_string(f" : {op.type}")
    if isinstance(value, UnitAttr):
        printer.print_string(" = uninitialized")
    elif value is not None:
        stream = StringIO()
        printer.__class__(stream=stream).print_attribute(value)
        printer.print_string(f" = {stream.getvalue().removesuffix(f' : {value.type}')}")
    print_dict(printer, op, "sym_visibility", "constant", "sym_name", "type", "initial_value")


_CAST = "$source attr-dict `:` type($source) `to` type($dest)"
_COPY = "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
_POINTER = "$source attr-dict `:` type($source) `->` type($aligned_pointer)"
SYNTAX = {
    "memref.alloca_scope": Syntax(_parse_scope, _print_scope),
    "memref.alloca_scope.return": formatted("attr-dict ($ops^ `:` type($ops))?"),
    "memref.atomic_rmw": Form(_parse_atomic, _print_atomic),
    "memref.cast": formatted(_CAST),
    "memref.copy": formatted(_COPY),
    "memref.dma_wait": formatted("$tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag)"),
    "memref.extract_aligned_pointer_as_index": formatted(_POINTER),
    "memref.generic_atomic_rmw": Form(_parse_generic_atomic, _print_generic_atomic),
    "memref.global": Form(_parse_global, _print_global),
    "memref.memory_space_cast": formatted(_CAST),
    "memref.rank": formatted("$source attr-dict `:` type($source)"),
    "memref.transpose": Form(_parse_transpose, _print_transpose),
}
