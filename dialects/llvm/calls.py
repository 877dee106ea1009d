"""The syntax that calls, invocations and calls of intrinsics share: what is called, and what is known of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hologram.dialects.llvm.bundles import Bundles, bundle_properties, bundles_of, parse_bundles, print_bundles
from hologram.dialects.llvm.properties import array, given
from hologram.dialects.llvm.signature import parse_signature, print_arguments, print_result

NOT_IN_DICTIONARY = ("operandSegmentSizes", "arg_attrs", "res_attrs", "op_bundle_sizes", "op_bundle_tags")
"""Properties that stand elsewhere."""


@dataclass
class Call:
    """What stands behind the arguments of a call."""

    operands: Sequence[SSAValue]
    outputs: Sequence[Attribute]
    bundles: Bundles
    attributes: dict[str, Attribute]
    properties: dict[str, Attribute]


def parse_callee(parser: Parser) -> tuple[SymbolRefAttr | None, list[UnresolvedOperand]]:
    """Parses `@f(%a)`, or `%p(%a)`, whose pointer is the first operand."""
    name = parser.parse_optional_symbol_name()
    through = [] if name else [parser.parse_unresolved_operand()]
    args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    return None if name is None else SymbolRefAttr(name), [*through, *args]


def parse_vararg(parser: Parser) -> Attribute | None:
    """Parses `vararg(!llvm.func<i32 (ptr, ...)>)`, which may be left out."""
    if not parser.parse_optional_keyword("vararg"):
        return None
    with parser.in_parens():
        return parser.parse_type()


def parse_call(parser: Parser, names: Sequence[UnresolvedOperand], is_through: bool = False) -> Call:
    """Parses `["tag"(%c : i32)] {dictionary} : (f32) -> i32`, with the type of a pointer and a comma in front of the
    arguments where the call goes through one."""
    bundles = parse_bundles(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types: list[Attribute] = []
    if is_through:
        types.append(parser.parse_type())
        parser.parse_punctuation(",")
    signature = parse_signature(parser)
    operands = parser.resolve_operands(names, [*types, *signature.inputs], parser.pos)
    known = given(arg_attrs=array(signature.arg_attrs), res_attrs=array(signature.res_attrs))
    return Call(operands, signature.outputs, bundles, attributes, {**bundle_properties(bundles), **known})


def print_callee(printer: Printer, op: Any) -> Sequence[SSAValue]:
    """Prints what `parse_callee` parses, and returns the arguments."""
    args = op.callee_operands
    if op.callee is not None:
        printer.print_attribute(op.callee)
    else:
        printer.print_ssa_value(args[0])
        args = args[1:]
    with printer.in_parens():
        printer.print_list(args, printer.print_ssa_value)
    return args


def print_vararg(printer: Printer, op: Any) -> None:
    """Prints what `parse_vararg` parses."""
    if op.var_callee_type is not None:
        printer.print_string(" vararg(")
        printer.print_attribute(op.var_callee_type)
        printer.print_string(")")


def print_call(
    printer: Printer, op: Any, args: Sequence[SSAValue], hidden: Collection[str], through: SSAValue | None = None
) -> None:
    """Prints what `parse_call` parses; the hidden attributes stand elsewhere."""
    print_bundles(printer, bundles_of(op))
    printer.print_op_attributes(op.properties | op.attributes, reserved_attr_names={*hidden, *NOT_IN_DICTIONARY})
    printer.print_string(" : ")
    if through is not None:
        printer.print_attribute(through.type)
        printer.print_string(", ")
    print_arguments(printer, [v.type for v in args], op.arg_attrs)
    printer.print_string(" -> ")
    if op.results:
        print_result(printer, op.results[0].type, op.res_attrs)
    else:
        printer.print_string("()")
