"""Custom syntax of `affine`: accesses whose indices are dimensions and symbols, and conditions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineSetAttr, IndexType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.syntax import Syntax, ended_by, parse_body, parse_results, print_outputs

_TIGHT = {AffineBinaryOpKind.Add: 0}
"""How tight operators bind; those that are not here bind tighter than a sum."""


def print_expression(printer: Printer, map: AffineMap, operands: Sequence[SSAValue], result: AffineExpr) -> None:
    """Prints a result of a map, with operands in place of its dimensions and symbols."""

    def write(expr: AffineExpr, least: int) -> None:
        if isinstance(expr, AffineBinaryOpExpr):
            strength = _TIGHT.get(expr.kind, 1)
            if strength < least:
                printer.print_string("(")
            write(expr.lhs, strength)
            printer.print_string(f" {expr.kind.get_token()} ")
            write(expr.rhs, strength + (expr.kind is not AffineBinaryOpKind.Add))
            if strength < least:
                printer.print_string(")")
        elif isinstance(expr, AffineConstantExpr):
            printer.print_string(str(expr.value))
        elif isinstance(expr, AffineDimExpr):
            printer.print_ssa_value(operands[expr.position])
        else:
            printer.print_string("symbol(")
            printer.print_ssa_value(operands[map.num_dims + expr.position])  # pyright: ignore
            printer.print_string(")")

    write(result, 0)


def print_indices(printer: Printer, map: AffineMap, operands: Sequence[SSAValue]) -> None:
    """Prints the results of a map in brackets, with operands in place of its dimensions and symbols."""
    with printer.in_square_brackets():
        printer.print_list(map.results, lambda expr: print_expression(printer, map, operands, expr))


def _print_access(printer: Printer, op: affine.LoadOp | affine.StoreOp) -> None:
    printer.print_string(" ")
    if isinstance(op, affine.StoreOp):
        printer.print_ssa_value(op.value)
        printer.print_string(", ")
    printer.print_ssa_value(op.memref)
    print_indices(printer, op.map.data, op.indices)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.memref.type)


def _parse_if(parser: Parser) -> Operation:
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("a set of indices was expected here")
    values: list[SSAValue] = []
    for delimiter in (parser.Delimiter.PAREN, parser.Delimiter.SQUARE):
        given = parser.parse_optional_comma_separated_list(delimiter, parser.parse_unresolved_operand)
        values += [parser.resolve_operand(v, IndexType()) for v in given or ()]
    types = parse_results(parser)
    regions = [parse_body(parser), parse_body(parser) if parser.parse_optional_keyword("else") else Region()]
    op = affine.IfOp.build(
        operands=[values], result_types=[types], properties={"condition": condition}, regions=regions,
        attributes=parser.parse_optional_attr_dict(),
    )  # fmt: skip
    return ended_by(op, affine.YieldOp)


def _print_if(printer: Printer, op: affine.IfOp) -> None:
    count = op.condition.data.num_dims
    printer.print_string(" ")
    printer.print_attribute(op.condition)
    with printer.in_parens():
        printer.print_list(op.args[:count], printer.print_ssa_value)
    if op.args[count:]:
        with printer.in_square_brackets():
            printer.print_list(op.args[count:], printer.print_ssa_value)
    print_outputs(printer, op.res.types)
    printer.print_string(" ")
    printer.print_region(op.then_region, print_block_terminators=bool(op.res))
    if op.else_region.blocks:
        printer.print_string(" else ")
        printer.print_region(op.else_region, print_block_terminators=bool(op.res))
    printer.print_op_attributes(op.attributes)


SYNTAX = {
    "affine.if": Syntax(_parse_if, _print_if),
    "affine.load": Syntax(affine.LoadOp.parse, _print_access),
    "affine.store": Syntax(affine.StoreOp.parse, _print_access),
}
