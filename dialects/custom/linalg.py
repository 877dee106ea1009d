"""Custom syntax of `linalg`: generic operations whose attributes have a name, and what moves elements."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.operands import parse_numbers, parse_operands, print_numbers, print_operands
from hologram.dialects.custom.syntax import Syntax, parse_results

_PROPERTIES = ("indexing_maps", "iterator_types", "doc", "library_call")


def _parse_generic(parser: Parser) -> Operation:
    start = parser.pos
    attributes = parser.parse_optional_attr_dict() or _named_attributes(parser)
    if not isinstance(attributes.get("indexing_maps"), ArrayAttr):
        parser.raise_error("'linalg.generic' has indexing_maps", start, parser.pos)
    if not isinstance(kinds := attributes.get("iterator_types"), ArrayAttr):
        parser.raise_error("'linalg.generic' has iterator_types", start, parser.pos)
    attributes["iterator_types"] = ArrayAttr(_kind(parser, start, kind) for kind in cast("ArrayAttr[Any]", kinds))
    inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
    if parser.parse_optional_keyword("attrs") is not None:
        parser.parse_punctuation("=")
        attributes |= parser.parse_optional_attr_dict()
    body = parser.parse_region()
    properties = {name: attributes.pop(name) for name in _PROPERTIES if name in attributes}
    return linalg.GenericOp.build(
        operands=[inputs, outputs], result_types=[parse_results(parser)], properties=properties,
        attributes=attributes, regions=[body],
    )  # fmt: skip


def _named_attributes(parser: Parser) -> dict[str, Attribute]:
    """Attributes by the name of an alias, `#trait`; none where there is none."""
    given: Any = parser.parse_optional_attribute()
    return dict(getattr(given, "data", {}))


def _kind(parser: Parser, start: int, kind: Attribute) -> Attribute:
    """The kind of a loop that a word is."""
    words = [*IteratorType]
    if isinstance(kind, StringAttr) and kind.data in words:
        return IteratorTypeAttr(IteratorType(kind.data))
    if not isinstance(kind, IteratorTypeAttr):
        parser.raise_error(f"{kind} is no kind of loop: there are {', '.join(words)}", start, parser.pos)
    return kind


def _parse_moved(keyword: str, kind: Any) -> Any:
    def parse(parser: Parser) -> Operation:
        start = parser.pos
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        if len(inputs) != 1 or len(outputs) != 1:
            parser.raise_error(f"'{kind.name}' has one input and one output", start, parser.pos)
        numbers = parse_numbers(parser, keyword)
        op: Operation = kind(inputs[0], outputs[0], numbers)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    return parse


def _print_moved(printer: Printer, op: Any, keyword: str) -> None:
    print_operands(printer, [op.operands[0]], [op.operands[1]], ())
    print_numbers(printer, keyword, op.properties[keyword])
    printer.print_op_attributes(op.attributes)


SYNTAX = {
    "linalg.generic": Syntax(_parse_generic),
    "linalg.broadcast": Syntax(
        _parse_moved("dimensions", linalg.BroadcastOp), lambda p, op: _print_moved(p, op, "dimensions")
    ),
    "linalg.transpose": Syntax(
        _parse_moved("permutation", linalg.TransposeOp), lambda p, op: _print_moved(p, op, "permutation")
    ),
}
