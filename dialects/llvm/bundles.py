"""Operand bundles: values beside the arguments of a call, under a tag that says what they are for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.syntax import parse_values, print_values

Bundles: TypeAlias = Sequence[tuple[str, Sequence[SSAValue]]]
"""The tag and the values of each."""


def parse_bundles(parser: Parser) -> Bundles:
    """Parses `["align"(%p, %i : !llvm.ptr, i64), "cold"()]`, which may be left out."""
    return parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_bundle(parser)) or []


def _parse_bundle(parser: Parser) -> tuple[str, Sequence[SSAValue]]:
    tag = parser.parse_str_literal()
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")"):
        return tag, []
    values = parse_values(parser)
    parser.parse_punctuation(")")
    return tag, values


def print_bundles(printer: Printer, bundles: Bundles) -> None:
    """Prints what `parse_bundles` parses, behind a space."""
    for number, (tag, values) in enumerate(bundles):
        printer.print_string(", " if number else " [")
        printer.print_string_literal(tag)
        with printer.in_parens():
            if values:
                print_values(printer, values)
    printer.print_string("]" if bundles else "")


def bundle_values(bundles: Bundles) -> list[SSAValue]:
    """The values of all bundles, in order: the operands of an operation."""
    return [value for _, values in bundles for value in values]


def bundle_properties(bundles: Bundles) -> dict[str, Attribute]:
    """The properties of an operation with bundles."""
    sizes = DenseArrayBase.from_list(i32, [len(values) for _, values in bundles])
    properties: dict[str, Attribute] = {"op_bundle_sizes": sizes}
    if bundles:
        properties["op_bundle_tags"] = ArrayAttr([StringAttr(tag) for tag, _ in bundles])
    return properties


def bundles_of(op: Any) -> list[tuple[str, Sequence[SSAValue]]]:
    """The bundles of an operation."""
    tags = [] if op.op_bundle_tags is None else [tag.data for tag in op.op_bundle_tags]
    values = iter(op.op_bundle_operands)
    return [(tag, [*islice(values, n)]) for tag, n in zip(tags, op.op_bundle_sizes.get_values(), strict=True)]
