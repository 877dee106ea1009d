"""Intrinsics that copy, set and hint: `llvm.intr.memcpy`, `llvm.intr.assume` and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    I1,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    SignlessIntegerConstraint,
    StringAttr,
    i32,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from hologram.dialects.llvm.signature import parse_several


class CopyOp(IRDLOperation):
    """Copies `len` bytes."""

    dst = operand_def(LLVMPointerType)
    src = operand_def(LLVMPointerType)
    len = operand_def(SignlessIntegerConstraint)
    is_volatile = prop_def(BoolAttr, prop_name="isVolatile")
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])

    def __init__(self, dst: SSAValue, src: SSAValue, len: SSAValue, volatile: bool = False):
        properties: dict[str, Attribute] = {"isVolatile": BoolAttr.from_bool(volatile)}
        Operation.__init__(self, operands=(dst, src, len), properties=properties)


@irdl_op_definition
class MemcpyOp(CopyOp):
    """Copies `len` bytes between places that are the same or do not overlap."""

    name = "llvm.intr.memcpy"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MemmoveOp(CopyOp):
    """Copies `len` bytes between places that may overlap."""

    name = "llvm.intr.memmove"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MemsetOp(IRDLOperation):
    """Sets `len` bytes to a value."""

    name = "llvm.intr.memset"

    dst = operand_def(LLVMPointerType)
    val = operand_def(SignlessIntegerConstraint)
    len = operand_def(SignlessIntegerConstraint)
    is_volatile = prop_def(BoolAttr, prop_name="isVolatile")
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, dst: SSAValue, val: SSAValue, len: SSAValue, volatile: bool = False):
        properties: dict[str, Attribute] = {"isVolatile": BoolAttr.from_bool(volatile)}
        Operation.__init__(self, operands=(dst, val, len), properties=properties)


# Hints


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """Says that a condition holds. Bundles say more: `align`, `nonnull`, `dereferenceable`, `separate_storage`."""

    name = "llvm.intr.assume"

    cond = operand_def(I1)
    op_bundle_operands = var_operand_def()
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32))
    op_bundle_tags = opt_prop_def(ArrayAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, cond: SSAValue, bundles: Sequence[tuple[str, Sequence[SSAValue]]] = ()):
        properties: dict[str, Attribute] = {
            "op_bundle_sizes": DenseArrayBase.from_list(i32, [len(values) for _, values in bundles])
        }
        if bundles:
            properties["op_bundle_tags"] = ArrayAttr([StringAttr(tag) for tag, _ in bundles])
        operands = (cond, *[v for _, values in bundles for v in values])
        Operation.__init__(self, operands=operands, properties=properties)

    def bundles(self) -> list[tuple[str, Sequence[SSAValue]]]:
        """The tag and values of each bundle."""
        found: list[tuple[str, Sequence[SSAValue]]] = []
        values, start = self.op_bundle_operands, 0
        tags = () if self.op_bundle_tags is None else cast("ArrayAttr[StringAttr]", self.op_bundle_tags).data
        for tag, size in zip(tags, cast("Any", self.op_bundle_sizes).get_values(), strict=True):
            found.append((tag.data, values[start : start + size]))
            start += size
        return found

    @classmethod
    def parse(cls, parser: Parser) -> AssumeOp:
        def bundle() -> tuple[str, Sequence[SSAValue]]:
            tag = parser.parse_str_literal()
            with parser.in_parens():
                operands = parse_several(parser, parser.parse_unresolved_operand)
                parser.parse_punctuation(":")
                types = parse_several(parser, parser.parse_type)
                return tag, parser.resolve_operands(operands, types, parser.pos)

        cond = parser.parse_unresolved_operand()
        bundles = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, bundle) or ()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(cond, parser.parse_type()), bundles)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        for number, (tag, values) in enumerate(bundles := self.bundles()):
            printer.print_string(", " if number else " [")
            printer.print_string_literal(tag)
            with printer.in_parens():
                printer.print_list(values, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list([v.type for v in values], printer.print_attribute)
            printer.print_string("]" if number + 1 == len(bundles) else "")
        printer.print_string(" : ")
        printer.print_attribute(self.cond.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ExpectOp(IRDLOperation):
    """The value itself; says that it is probably the expected one."""

    name = "llvm.intr.expect"

    T: ClassVar = VarConstraint("T", SignlessIntegerConstraint)

    val = operand_def(T)
    expected = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$val `,` $expected attr-dict `:` type($val)"

    def __init__(self, val: SSAValue, expected: SSAValue):
        Operation.__init__(self, operands=(val, expected), result_types=(val.type,))


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Says that an address will be used soon.

    `rw` is 0 to read, 1 to write; `hint` from 0 (once) to 3 (often); `cache` 1 for data.
    """

    name = "llvm.intr.prefetch"

    addr = operand_def(LLVMPointerType)
    rw = prop_def(IntegerAttr)
    hint = prop_def(IntegerAttr)
    cache = prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, addr: SSAValue, rw: int = 0, hint: int = 3, cache: int = 1):
        properties: dict[str, Attribute] = {
            "rw": IntegerAttr(rw, i32),
            "hint": IntegerAttr(hint, i32),
            "cache": IntegerAttr(cache, i32),
        }
        Operation.__init__(self, operands=(addr,), properties=properties)


class _LifetimeOp(IRDLOperation):
    """Marks where a stack object starts or ends to live."""

    ptr = operand_def(LLVMPointerType)

    assembly_format = "$ptr attr-dict `:` type($ptr)"

    def __init__(self, ptr: SSAValue):
        Operation.__init__(self, operands=(ptr,))


@irdl_op_definition
class LifetimeStartOp(_LifetimeOp):
    """The object's memory is undefined before this."""

    name = "llvm.intr.lifetime.start"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class LifetimeEndOp(_LifetimeOp):
    """The object is not used after this."""

    name = "llvm.intr.lifetime.end"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
