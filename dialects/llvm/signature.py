"""The custom syntax of a function's signature: unlike xDSL's, declarations keep the attributes of their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, UnitAttr
from xdsl.ir import Attribute, BlockArgument, Region
from xdsl.irdl import IRDLOperation, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.llvm.attributes import MemoryEffectsAttr

T = TypeVar("T")


class SignatureOp(IRDLOperation):
    """A function or call, whose arguments and results may have attributes."""

    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])


class FunctionOp(SignatureOp):
    """A function or call, with what is known of the function."""

    memory_effects = opt_prop_def(MemoryEffectsAttr)
    convergent = opt_prop_def(UnitAttr)
    no_unwind = opt_prop_def(UnitAttr)
    will_return = opt_prop_def(UnitAttr)
    no_inline = opt_prop_def(UnitAttr)
    always_inline = opt_prop_def(UnitAttr)
    inline_hint = opt_prop_def(UnitAttr)


@dataclass
class Signature:
    """The part of a function's header after its name."""

    inputs: Sequence[Attribute]
    outputs: Sequence[Attribute]
    arguments: Sequence[Parser.Argument] | None
    """The named arguments of a definition."""
    arg_attrs: Sequence[DictionaryAttr] | None
    res_attrs: Sequence[DictionaryAttr] | None
    variadic: bool


def parse_signature(parser: Parser) -> Signature:
    """Parses `(%x: i32 {...}, ...) -> (i32 {...})`, or with types alone for a declaration."""
    parts = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_argument(parser))
    variadic = bool(parts) and parts[-1] is None
    given = [part for part in parts if part is not None]
    if len(given) != len(parts) - variadic:
        parser.raise_error("`...` must be the last argument")
    named = [argument for argument, _, _ in given if argument is not None]
    if named and len(named) != len(given):
        parser.raise_error("either all arguments have names or none")
    results = _parse_results(parser)
    return Signature(
        [type for _, type, _ in given],
        [type for type, _ in results],
        named or None,
        _unless_empty([attributes for _, _, attributes in given]),
        _unless_empty([attributes for _, attributes in results]),
        variadic,
    )


def _parse_argument(parser: Parser) -> tuple[Parser.Argument | None, Attribute, dict[str, Attribute]] | None:
    if parser.parse_optional_punctuation("..."):
        return None
    argument = parser.parse_optional_argument()
    type = parser.parse_type() if argument is None else argument.type
    attributes = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if argument is not None:
        argument.location = location
    return argument, type, attributes


def _parse_results(parser: Parser) -> Sequence[tuple[Attribute, dict[str, Attribute]]]:
    if not parser.parse_optional_punctuation("->"):
        return []
    several = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict())
    )
    return [(parser.parse_type(), {})] if several is None else several


def _unless_empty(attributes: Sequence[dict[str, Attribute]]) -> Sequence[DictionaryAttr] | None:
    return [DictionaryAttr(a) for a in attributes] if any(attributes) else None


def print_signature(
    printer: Printer,
    type: Any,
    body: Region,
    arg_attrs: ArrayAttr[DictionaryAttr] | None,
    res_attrs: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """Prints the signature of a function of an llvm function type."""
    entry = body.blocks.first
    arguments: Sequence[BlockArgument | Attribute] = type.inputs.data if entry is None else entry.args
    print_arguments(printer, arguments, arg_attrs, variadic=type.is_variadic)
    if cast("Attribute", type.output).name == "llvm.void":
        return
    printer.print_string(" -> ")
    print_result(printer, type.output, res_attrs)


def print_arguments(
    printer: Printer,
    arguments: Sequence[BlockArgument | Attribute],
    arg_attrs: ArrayAttr[DictionaryAttr] | None,
    *,
    variadic: bool = False,
) -> None:
    with printer.in_parens():
        printer.print_list(
            zip(arguments, _each(arg_attrs, len(arguments)), strict=True), lambda pair: _print_argument(printer, *pair)
        )
        if variadic:
            printer.print_string(", ..." if arguments else "...")


def print_result(printer: Printer, type: Attribute, res_attrs: ArrayAttr[DictionaryAttr] | None) -> None:
    if res_attrs is None:
        printer.print_attribute(type)
        return
    with printer.in_parens():
        _print_argument(printer, type, res_attrs.data[0])


def _each(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> Sequence[DictionaryAttr]:
    return [DictionaryAttr({})] * count if attributes is None else attributes.data


def _print_argument(printer: Printer, argument: BlockArgument | Attribute, attributes: DictionaryAttr) -> None:
    if isinstance(argument, BlockArgument):
        printer.print_block_argument(argument)
    else:
        printer.print_attribute(argument)
    printer.print_op_attributes(attributes.data)
