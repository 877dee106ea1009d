"""Custom syntax of `arith`: predicates in quotes, rounding modes, and flags that say what never happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    FastMathFlagsAttr,
    IntegerOverflowAttr,
)
from xdsl.dialects.builtin import IntegerAttr, TensorType, UnitAttr, VectorType, i1, i32, i64
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, parse_names, print_dict, print_names
from hologram.dialects.custom.rows import Form

_Read: TypeAlias = Callable[[Parser], Attribute | None]
_Written: TypeAlias = Callable[[Any], str]
_ROUNDING = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


def _read_flags(word: str, kind: Any) -> _Read:
    """Reads `fastmath<nnan>`, or nothing."""

    def read(parser: Parser) -> Attribute | None:
        if parser.parse_optional_keyword(word) is None:
            return None
        return kind(kind.parse_parameter(parser))

    return read


def _write_flags(word: str) -> _Written:
    def written(flags: Any) -> str:
        every: list[Any] = [*flags.enum_type]
        names = [flag.value for flag in every if flag in flags.data]
        names = ["fast"] if word == "fastmath" and len(names) == len(every) else names
        return f" {word}<{','.join(names)}>" if names else ""

    return written


def _read_rounding(parser: Parser) -> Attribute | None:
    for number, word in enumerate(_ROUNDING):
        if parser.parse_optional_keyword(word) is not None:
            return IntegerAttr(number, i32)
    return None


def _read_exact(parser: Parser) -> Attribute | None:
    return None if parser.parse_optional_keyword("exact") is None else UnitAttr()


_FLAGS: Mapping[str, tuple[_Read, _Written]] = {
    "roundingmode": (_read_rounding, lambda mode: f" {_ROUNDING[mode.value.data]}"),
    "fastmath": (_read_flags("fastmath", FastMathFlagsAttr), _write_flags("fastmath")),
    "overflowFlags": (_read_flags("overflow", IntegerOverflowAttr), _write_flags("overflow")),
    "isExact": (_read_exact, lambda _: " exact"),
}
"""How properties that stand behind the operands are read and written."""


def _parse_flags(parser: Parser, flags: tuple[str, ...]) -> dict[str, Attribute]:
    read = {flag: _FLAGS[flag][0](parser) for flag in flags}
    return {flag: value for flag, value in read.items() if value is not None}


def _print_flags(printer: Printer, op: Operation, flags: tuple[str, ...]) -> None:
    for flag in flags:
        if (value := op.properties.get(flag, op.attributes.get(flag))) is not None:
            printer.print_string(_FLAGS[flag][1](value))


def _flagged(*flags: str) -> Form:
    """`%a, %b FLAGS {attributes} : T`, or `: T to R` of a cast."""
    is_cast = "isExact" not in flags

    def parse(kind: type[Any], parser: Parser) -> Operation:
        names = parse_names(parser)
        attributes = _parse_flags(parser, flags) | parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = result = parser.parse_type()
        if is_cast:
            parser.parse_keyword("to")
            result = parser.parse_type()
        return build(kind, parser.resolve_operands(names, [type] * len(names), parser.pos), [result], attributes)

    def print(printer: Printer, op: Any) -> None:
        print_names(printer, op)
        _print_flags(printer, op, flags)
        print_dict(printer, op, *flags)
        printer.print_string(f" : {op.operands[0].type}")
        if is_cast:
            printer.print_string(f" to {op.results[0].type}")

    return Form(parse, print)


def _truth(type: Attribute) -> Attribute:
    """The type of a comparison of values of a type."""
    if isinstance(type, VectorType):
        return VectorType(i1, type.shape, type.scalable_dims)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return TensorType(i1, type.get_shape(), type.encoding) if isinstance(type, TensorType) else i1


def _comparison(words: list[str], *flags: str) -> Form:
    """`slt, %a, %b FLAGS : T`, with the word in quotes or without."""

    def parse(kind: type[Any], parser: Parser) -> Operation:
        start = parser.pos
        word = parser.parse_optional_str_literal() or parser.parse_identifier()
        if word not in words:
            parser.raise_error(f"'{word}' is no comparison; those of '{kind.name}' are {', '.join(words)}", start)
        parser.parse_punctuation(",")
        names = parse_names(parser)
        attributes = _parse_flags(parser, flags) | parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        attributes["predicate"] = IntegerAttr(words.index(word), i64)
        return build(kind, parser.resolve_operands(names, [type, type], parser.pos), [_truth(type)], attributes)

    def print(printer: Printer, op: Any) -> None:
        printer.print_string(f" {words[op.predicate.value.data]},")
        print_names(printer, op)
        _print_flags(printer, op, flags)
        print_dict(printer, op, "predicate", *flags)
        printer.print_string(f" : {op.lhs.type}")

    return Form(parse, print)


SYNTAX = {
    "arith.cmpf": _comparison(CMPF_COMPARISON_OPERATIONS, "fastmath"),
    "arith.cmpi": _comparison(CMPI_COMPARISON_OPERATIONS),
    "arith.divsi": _flagged("isExact"),
    "arith.divui": _flagged("isExact"),
    "arith.extf": _flagged("fastmath"),
    "arith.shrsi": _flagged("isExact"),
    "arith.shrui": _flagged("isExact"),
    "arith.trunci": _flagged("overflowFlags"),
    "arith.truncf": _flagged("roundingmode", "fastmath"),
}
