"""Atomic operations of the llvm dialect."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i1, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
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

from hologram.dialects.llvm.accesses import (
    access_properties,
    ordering,
    ordering_word,
    parse_attributes,
    parse_flags,
    parse_ordering,
    parse_syncscope,
    print_flags,
    print_syncscope,
)
from hologram.dialects.llvm.enums import ATOMIC_OPERATIONS
from hologram.dialects.llvm.signature import parse_several
from hologram.dialects.llvm.types import LLVMStructType


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Replaces a value in memory by a function of it and an operand, in one step; gives the old value."""

    name = "llvm.atomicrmw"

    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    val = operand_def(T)
    bin_op = prop_def(IntegerAttr)
    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr)
    volatile_ = opt_prop_def(UnitAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    res = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        bin_op: str | int,
        ptr: SSAValue,
        val: SSAValue,
        ordering: str | int,
        syncscope: str | None = None,
        alignment: int | None = None,
        volatile: bool = False,
    ):
        """`bin_op` is upstream's word or number: xchg add sub _and nand _or _xor max min umax umin fadd fsub ..."""
        number = ATOMIC_OPERATIONS.index(bin_op) if isinstance(bin_op, str) else bin_op
        properties = access_properties(alignment, volatile, False, ordering, syncscope)
        properties["bin_op"] = IntegerAttr(number, i64)
        Operation.__init__(self, operands=(ptr, val), result_types=(val.type,), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        properties = parse_flags(parser, volatile_="volatile")
        word = parser.parse_keyword_in(ATOMIC_OPERATIONS)
        properties["bin_op"] = IntegerAttr(ATOMIC_OPERATIONS.index(word), i64)
        ptr = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        val = parser.parse_unresolved_operand()
        properties |= parse_syncscope(parser)
        properties["ordering"] = parse_ordering(parser)
        attributes = parse_attributes(parser, cls, properties)
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(ptr, parser.parse_type())]
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(val, parser.parse_type()))
        types = [operands[1].type]
        return cls.create(operands=operands, result_types=types, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_flags(printer, self, volatile_="volatile")
        printer.print_string(f" {ATOMIC_OPERATIONS[self.bin_op.value.data]} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_syncscope(printer, self)
        printer.print_string(f" {ordering_word(self.ordering)}")
        hidden = ("volatile_", "bin_op", "ordering", "syncscope")
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=hidden)
        printer.print_string(" : ")
        printer.print_list([v.type for v in self.operands], printer.print_attribute)


@irdl_op_definition
class AtomicCmpXchgOp(IRDLOperation):
    """Replaces a value in memory if it equals another; gives the old value and whether it did."""

    name = "llvm.cmpxchg"

    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    cmp = operand_def(T)
    val = operand_def(T)
    success_ordering = prop_def(IntegerAttr)
    failure_ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr)
    weak = opt_prop_def(UnitAttr)
    volatile_ = opt_prop_def(UnitAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    res = result_def(LLVMStructType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        ptr: SSAValue,
        cmp: SSAValue,
        val: SSAValue,
        success_ordering: str | int,
        failure_ordering: str | int,
        syncscope: str | None = None,
        alignment: int | None = None,
        weak: bool = False,
        volatile: bool = False,
    ):
        properties = access_properties(alignment, volatile, False, success_ordering, syncscope)
        properties["success_ordering"] = properties.pop("ordering")
        properties["failure_ordering"] = ordering(failure_ordering)
        if weak:
            properties["weak"] = UnitAttr()
        result = LLVMStructType.from_type_list([val.type, i1])
        Operation.__init__(self, operands=(ptr, cmp, val), result_types=(result,), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicCmpXchgOp:
        properties = parse_flags(parser, weak="weak", volatile_="volatile")
        ptr, cmp, val = parse_several(parser, parser.parse_unresolved_operand)
        properties |= parse_syncscope(parser)
        properties["success_ordering"] = parse_ordering(parser)
        properties["failure_ordering"] = parse_ordering(parser)
        attributes = parse_attributes(parser, cls, properties)
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(ptr, parser.parse_type())]
        parser.parse_punctuation(",")
        type = parser.parse_type()
        operands += [parser.resolve_operand(cmp, type), parser.resolve_operand(val, type)]
        types = [LLVMStructType.from_type_list([type, i1])]
        return cls.create(operands=operands, result_types=types, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_flags(printer, self, weak="weak", volatile_="volatile")
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_syncscope(printer, self)
        printer.print_string(f" {ordering_word(self.success_ordering)} {ordering_word(self.failure_ordering)}")
        hidden = ("weak", "volatile_", "success_ordering", "failure_ordering", "syncscope")
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=hidden)
        printer.print_string(" : ")
        printer.print_list((self.ptr.type, self.val.type), printer.print_attribute)


@irdl_op_definition
class FenceOp(IRDLOperation):
    """Orders the memory accesses before it and after it."""

    name = "llvm.fence"

    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, ordering: str | int, syncscope: str | None = None):
        properties = access_properties(None, False, False, ordering, syncscope)
        Operation.__init__(self, properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        properties = parse_syncscope(parser)
        properties["ordering"] = parse_ordering(parser)
        attributes = parse_attributes(parser, cls, properties)
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_syncscope(printer, self)
        printer.print_string(f" {ordering_word(self.ordering)}")
        printer.print_op_attributes(self.attributes)
