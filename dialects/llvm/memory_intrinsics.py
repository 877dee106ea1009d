"""Intrinsics that copy, set and hint: `llvm.intr.memcpy`, `llvm.intr.assume` and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

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
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure


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
