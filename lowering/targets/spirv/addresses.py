"""Addresses of buffers to spirv: numbers that become pointers where something is accessed, and views of bytes.

A kernel that computes with addresses gets its buffers as such. Memory of a block or of a lane has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import memref as stock
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import gpu, llvm, spirv
from hologram.dialects.llvm.enums import ATOMIC_OPERATIONS
from hologram.dialects.llvm.types import LLVMStructType
from hologram.errors import PassError
from hologram.lowering.rewriting.atomic_kinds import OF_WORD
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.spirv import build as sb
from hologram.lowering.targets.spirv.memref import (
    MemRef,
    buffer_of,
    check_atomic,
    held,
    if_alive,
    update,
    used,
)


def address_type(type: Attribute) -> Sequence[Attribute] | None:
    """The conversion of a pointer of llvm to a number, and of the pair that a compare-exchange gives to two values."""
    if isinstance(type, LLVMPointerType):
        return (i64,)
    return [*type.types.data] if isinstance(type, LLVMStructType) else None


RULES = Rules([address_type])


def computes_addresses(op: Operation) -> bool:
    """Return whether an operation asks for the address of a buffer, or looks at one as another type."""
    if isinstance(op, stock.ViewOp):
        return not sb.is_local(cast(MemRef, op.source.type))
    return isinstance(op, stock.ExtractAlignedPointerAsIndexOp | llvm.IntToPtrOp)


@RULES.on(stock.CastOp)
def cast_buffer(rw: Rewriter, op: stock.CastOp) -> None:
    """The same memory."""
    kernel = sb.kernel_of(rw)
    kernel.buffers[op.dest] = buffer_of(rw, op, op.source)


@RULES.on(stock.ExtractAlignedPointerAsIndexOp)
def address_of_buffer(rw: Rewriter, op: stock.ExtractAlignedPointerAsIndexOp) -> None:
    rw.define(op.aligned_pointer, _address(rw, op, op.source))


def _address(rw: Rewriter, op: Operation, memory: SSAValue) -> SSAValue:
    buffer = buffer_of(rw, op, memory)
    if buffer.address is None:
        raise PassError(
            op,
            "spirv-refuses-addresses",
            f"'{op.name}' asks for the address of {buffer.type}, and only buffers of a launch have one here",
            hint="isa.md section 7: this device refuses pointers across objects; access the array itself",
        )
    return buffer.address


@RULES.on(gpu.DynamicSharedMemoryOp)
def shared_memory(rw: Rewriter, op: gpu.DynamicSharedMemoryOp) -> None:
    """The view of it says what its elements are."""


def _launched(rw: Rewriter, op: stock.ViewOp) -> sb.Buffer:
    """The memory that a launch sizes: an array of all that the device has, but for what the kernel declares."""
    kernel, type = sb.kernel_of(rw), op.result.type
    element = sb.held_type(rw, op.result)
    size = spirv.size_of(element)

    def declare() -> SSAValue:
        declared = [b for b in kernel.buffers.values() if b.storage == "Workgroup"]
        taken = sum(b.type.get_shape()[0] * spirv.size_of(b.held) for b in declared)
        count = max((sb.walk(rw).shared.bytes - taken) // size, 1)
        array = spirv.PointerType.to(spirv.ArrayType.of(count, element), "Workgroup")
        return sb.walk(rw).declare_global(f"{kernel.name}_launched", array)

    pointer = rw.once("launched", declare, scope=kernel.entry)
    if cast(Any, pointer.type).pointee.element != element:
        raise PassError(
            op,
            "spirv-refuses-views",
            f"'{op.name}' looks at the launch's shared memory as another type than before, which SPIR-V does not",
            hint="declare an array of each type",
        )
    return sb.Buffer(type, pointer, element)


@RULES.on(stock.ViewOp)
def view(rw: Rewriter, op: stock.ViewOp) -> None:
    """Bytes of a buffer as elements of another type."""
    type = op.result.type
    if isinstance(op.source.owner, gpu.DynamicSharedMemoryOp):
        sb.kernel_of(rw).buffers[op.result] = _launched(rw, op)
        return
    address = _address(rw, op, op.source)
    shift = sb.resize(rw, rw.value(op.byte_shift), i64, signed=True)
    place = sb.Spirv(rw).add(address, shift)
    element = sb.held_type(rw, op.result)
    pointer = sb.emit(rw, "ConvertUToPtr", (place,), sb.pointer_to(type, element, sb.PHYSICAL))
    sb.kernel_of(rw).buffers[op.result] = sb.Buffer(type, pointer, element, place)


@RULES.on(llvm.IntToPtrOp)
def to_pointer(rw: Rewriter, op: Operation) -> None:
    """It stays a number until the type of an access is known."""
    rw.define(op.results[0], rw.value(op.operands[0]))


def _buffer(rw: Rewriter, type: Attribute, address: SSAValue, *, as_integers: bool = False) -> sb.Buffer:
    """The memory at an address, as elements of a type."""
    element = rw.type(type)
    if as_integers and spirv.is_float(element):
        element = sb.bits_type(element)
    number, kind = rw.value(address), spirv.PointerType.to(element, sb.PHYSICAL)
    return sb.Buffer(MemRefType(type, [DYNAMIC_INDEX]), sb.emit(rw, "ConvertUToPtr", (number,), kind), element, number)


@RULES.on(llvm.LoadOp)
def load(rw: Rewriter, op: llvm.LoadOp) -> None:
    buffer = _buffer(rw, op.res.type, op.addr)
    value = if_alive(rw, lambda: buffer.pointer, lambda p: used(rw, buffer, sb.load(rw, p)), rw.type(op.res.type))
    rw.define(op.res, value)


@RULES.on(llvm.StoreOp)
def store(rw: Rewriter, op: llvm.StoreOp) -> None:
    value = rw.value(op.value)
    buffer = _buffer(rw, op.value.type, op.addr)
    sb.guarded(rw, lambda: sb.store(rw, buffer.pointer, held(rw, buffer, value)))


@RULES.on(llvm.AtomicRMWOp)
def atomic(rw: Rewriter, op: llvm.AtomicRMWOp) -> None:
    word = ATOMIC_OPERATIONS[op.bin_op.value.data]
    buffer = _buffer(rw, op.val.type, op.ptr, as_integers=True)
    check_atomic(op, buffer)
    if word not in OF_WORD:
        raise PassError(
            op,
            "spirv-atomic-word",
            f"'{op.name}' with '{word}' has no lowering to spirv",
            hint=f"there are {', '.join(sorted(OF_WORD))}",
        )
    rw.define(op.res, update(rw, OF_WORD[word], buffer, lambda: buffer.pointer, rw.value(op.val)))


@RULES.on(llvm.AtomicCmpXchgOp)
def exchange(rw: Rewriter, op: llvm.AtomicCmpXchgOp) -> None:
    """The old value, and whether it was what was expected."""
    buffer = _buffer(rw, op.val.type, op.ptr, as_integers=True)
    check_atomic(op, buffer)
    expected, value = rw.value(op.cmp), rw.value(op.val)
    old = if_alive(
        rw, lambda: buffer.pointer, lambda p: sb.compare_exchange(rw, p, value, expected, buffer.scope), buffer.held
    )
    rw.define(op.res, old, sb.Spirv(rw).compare("eq", old, expected))


@RULES.on(llvm.ExtractValueOp)
def extract(rw: Rewriter, op: llvm.ExtractValueOp) -> None:
    """One of the two that a compare-exchange gives."""
    (number,) = op.position.get_values()
    rw.define(op.res, rw.values(op.container)[number])
