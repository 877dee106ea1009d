"""Loads and stores of the llvm dialect, with all of upstream's properties."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr, UnitAttr, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from hologram.dialects.llvm.enums import ORDERING_NUMBERS, ORDERINGS

NOT_ATOMIC = IntegerAttr(0, i64)


def ordering(order: str | int) -> IntegerAttr[IntegerType]:
    """An atomic ordering by upstream's word or number, as the attribute operations hold."""
    return IntegerAttr(ORDERING_NUMBERS[order] if isinstance(order, str) else order, i64)


def access_properties(
    alignment: int | None, volatile: bool, nontemporal: bool, order: str | int, syncscope: str | None
) -> dict[str, Attribute]:
    """The properties that loads and stores share."""
    properties: dict[str, Attribute] = {"ordering": ordering(order) if order else NOT_ATOMIC}
    if alignment is not None:
        properties["alignment"] = IntegerAttr(alignment, i64)
    if volatile:
        properties["volatile_"] = UnitAttr()
    if nontemporal:
        properties["nontemporal"] = UnitAttr()
    if syncscope is not None:
        properties["syncscope"] = StringAttr(syncscope)
    return properties


# The parts of their custom syntax that accesses share


def parse_flags(parser: Parser, **words: str) -> dict[str, Attribute]:
    """Parses the unit properties whose words stand here, in order: `property="word"`."""
    return {name: UnitAttr() for name, word in words.items() if parser.parse_optional_keyword(word)}


def print_flags(printer: Printer, op: Operation, **words: str) -> None:
    for name, word in words.items():
        if name in op.properties:
            printer.print_string(f" {word}")


def parse_attributes(
    parser: Parser, cls: type[IRDLOperation], properties: dict[str, Attribute]
) -> dict[str, Attribute]:
    """Parses the attribute dictionary; those of it that are properties are added to them."""
    attributes = parser.parse_optional_attr_dict()
    known = cls.get_irdl_definition().properties
    properties |= {name: attributes.pop(name) for name in list(attributes) if name in known}
    return attributes


def parse_syncscope(parser: Parser) -> dict[str, Attribute]:
    if not parser.parse_optional_keyword("syncscope"):
        return {}
    with parser.in_parens():
        return {"syncscope": StringAttr(parser.parse_str_literal())}


def print_syncscope(printer: Printer, op: Operation) -> None:
    if isinstance(scope := op.properties.get("syncscope"), StringAttr):
        printer.print_string(" syncscope")
        with printer.in_parens():
            printer.print_string_literal(scope.data)


def parse_ordering(parser: Parser) -> IntegerAttr[IntegerType]:
    return ordering(parser.parse_keyword_in(ORDERING_NUMBERS))


def ordering_word(order: Any) -> str:
    """Upstream's word for an ordering attribute."""
    return ORDERINGS[order.value.data]


def _parse_atomic(parser: Parser) -> dict[str, Attribute]:
    if not parser.parse_optional_keyword("atomic"):
        return {"ordering": NOT_ATOMIC}
    return parse_syncscope(parser) | {"ordering": parse_ordering(parser)}


def _print_atomic(printer: Printer, op: Operation) -> None:
    order = op.properties.get("ordering", NOT_ATOMIC)
    if order == NOT_ATOMIC:
        return
    printer.print_string(" atomic")
    print_syncscope(printer, op)
    printer.print_string(f" {ordering_word(order)}")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Reads a value from memory."""

    name = "llvm.load"

    addr = operand_def(LLVMPointerType)
    alignment = opt_prop_def(IntegerAttr)
    volatile_ = opt_prop_def(UnitAttr)
    nontemporal = opt_prop_def(UnitAttr)
    invariant = opt_prop_def(UnitAttr)
    invariant_group = opt_prop_def(UnitAttr, prop_name="invariantGroup")
    ordering = prop_def(IntegerAttr, default_value=NOT_ATOMIC)
    syncscope = opt_prop_def(StringAttr)
    dereferenceable = opt_prop_def()
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    res = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        addr: SSAValue,
        result_type: Attribute,
        alignment: int | None = None,
        volatile: bool = False,
        nontemporal: bool = False,
        invariant: bool = False,
        ordering: str | int = 0,
        syncscope: str | None = None,
    ):
        properties = access_properties(alignment, volatile, nontemporal, ordering, syncscope)
        if invariant:
            properties["invariant"] = UnitAttr()
        Operation.__init__(self, operands=(addr,), result_types=(result_type,), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        properties = parse_flags(parser, volatile_="volatile")
        addr = parser.parse_unresolved_operand()
        properties |= _parse_atomic(parser) | parse_flags(
            parser, invariant="invariant", invariantGroup="invariant_group"
        )
        attributes = parse_attributes(parser, cls, properties)
        parser.parse_punctuation(":")
        addr_type = parser.parse_type()
        parser.parse_punctuation("->")
        type = parser.parse_type()
        operands = [parser.resolve_operand(addr, addr_type)]
        return cls.create(operands=operands, result_types=[type], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_flags(printer, self, volatile_="volatile")
        printer.print_string(" ")
        printer.print_ssa_value(self.addr)
        _print_atomic(printer, self)
        print_flags(printer, self, invariant="invariant", invariantGroup="invariant_group")
        hidden = ("volatile_", "invariant", "invariantGroup", "ordering", "syncscope")
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=hidden)
        printer.print_string(" : ")
        printer.print_attribute(self.addr.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a value to memory."""

    name = "llvm.store"

    value = operand_def(AnyAttr())
    addr = operand_def(LLVMPointerType)
    alignment = opt_prop_def(IntegerAttr)
    volatile_ = opt_prop_def(UnitAttr)
    nontemporal = opt_prop_def(UnitAttr)
    invariant_group = opt_prop_def(UnitAttr, prop_name="invariantGroup")
    ordering = prop_def(IntegerAttr, default_value=NOT_ATOMIC)
    syncscope = opt_prop_def(StringAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        addr: SSAValue,
        alignment: int | None = None,
        volatile: bool = False,
        nontemporal: bool = False,
        ordering: str | int = 0,
        syncscope: str | None = None,
    ):
        properties = access_properties(alignment, volatile, nontemporal, ordering, syncscope)
        Operation.__init__(self, operands=(value, addr), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        properties = parse_flags(parser, volatile_="volatile")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        addr = parser.parse_unresolved_operand()
        properties |= _parse_atomic(parser) | parse_flags(parser, invariantGroup="invariant_group")
        attributes = parse_attributes(parser, cls, properties)
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(value, parser.parse_type())]
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(addr, parser.parse_type()))
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_flags(printer, self, volatile_="volatile")
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        _print_atomic(printer, self)
        print_flags(printer, self, invariantGroup="invariant_group")
        hidden = ("volatile_", "invariantGroup", "ordering", "syncscope")
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=hidden)
        printer.print_string(" : ")
        printer.print_list([v.type for v in self.operands], printer.print_attribute)
