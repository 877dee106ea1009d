"""gpu to nvvm: the device code of NVIDIA's GPUs, out of kernels without structured control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import Float64Type, MemRefType, ModuleOp, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, llvm, memref, nvvm
from hologram.lowering import llvm_build as ll
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.device_functions import Family, convert_device_module, kernel_of
from hologram.lowering.llvm_types import Size, add, multiply, size_value, view
from hologram.lowering.memref_atomics_to_llvm import (
    ADDF,
    INSTRUCTIONS,
    MONOTONIC,
    Order,
    lower_atomic,
    lower_generic_atomic,
)
from hologram.walking import operations

RULES = Rules()

AXES = (gpu.DimensionEnum.X, gpu.DimensionEnum.Y, gpu.DimensionEnum.Z)
GRID = (2**31 - 1, 65535, 65535)
"""The most blocks along each axis."""
BLOCK = (1024, 1024, 64)
"""The most lanes of a block along each axis."""
RELAXED = Order(MONOTONIC, "device")
"""Atomics order nothing else (isa.md section 3): fences do."""
KINDS = {kind: word for kind, word in INSTRUCTIONS.items() if kind != ADDF}
"""What atomics have an instruction of: not sums of f32 in global memory, where it would flush subnormals."""


def _leave(rw: Rewriter) -> None:
    rw.emit(nvvm.ExitOp())
    rw.emit(llvm.UnreachableOp())


def _launched_bytes(rw: Rewriter) -> SSAValue:
    size = rw.emit(nvvm.REGISTERS["dynamic.smem.size"]())
    return ll.extend(rw, "zext", size.res, i64)


FAMILY = Family(
    name="nvptx",
    kernel="nvvm.kernel",
    static_shared=48 * 1024,
    block_size="nvvm.reqntid",
    leave=_leave,
    launched_bytes=_launched_bytes,
)


# Who a lane is


def _known_sizes(op: Operation) -> Sequence[int] | None:
    kernel = kernel_of(op)
    known = None if kernel is None else kernel.known_block_size
    return None if known is None else cast(Sequence[int], known.get_values())


def _register(rw: Rewriter, name: str, least: int, below: int) -> SSAValue:
    """A position or size as an i64; every block reads it once."""
    key = (name, least, below)
    return rw.once(key, lambda: _read(rw, nvvm.REGISTERS[name](below, least)))


def _read(rw: Rewriter, register: Any) -> SSAValue:
    value = rw.emit(register).res
    return rw.emit(llvm.ZExtOp.create(operands=(value,), result_types=(i64,), properties={"nonNeg": UnitAttr()})).res


def _number(op: gpu.IdOp) -> int:
    return AXES.index(op.dimension.data)


def _size(rw: Rewriter, op: Operation, axis: int) -> Size:
    known = _known_sizes(op)
    return _register(rw, f"ntid.{'xyz'[axis]}", 1, BLOCK[axis] + 1) if known is None else known[axis]


def _position(rw: Rewriter, op: Operation, axis: int) -> SSAValue:
    known = _known_sizes(op)
    return _register(rw, f"tid.{'xyz'[axis]}", 0, BLOCK[axis] if known is None else known[axis])


@RULES.on(gpu.ThreadIdOp)
def thread_id(rw: Rewriter, op: gpu.ThreadIdOp) -> None:
    rw.define(op.result, _position(rw, op, _number(op)))


@RULES.on(gpu.BlockIdOp)
def block_id(rw: Rewriter, op: gpu.BlockIdOp) -> None:
    axis = _number(op)
    rw.define(op.result, _register(rw, f"ctaid.{'xyz'[axis]}", 0, GRID[axis]))


@RULES.on(gpu.BlockDimOp)
def block_dim(rw: Rewriter, op: gpu.BlockDimOp) -> None:
    rw.define(op.result, size_value(rw, _size(rw, op, _number(op))))


@RULES.on(gpu.GridDimOp)
def grid_dim(rw: Rewriter, op: gpu.GridDimOp) -> None:
    axis = _number(op)
    rw.define(op.result, _register(rw, f"nctaid.{'xyz'[axis]}", 1, GRID[axis] + 1))


@RULES.on(gpu.GlobalIdOp)
def global_id(rw: Rewriter, op: gpu.GlobalIdOp) -> None:
    axis = _number(op)
    block = _register(rw, f"ctaid.{'xyz'[axis]}", 0, GRID[axis])
    first = multiply(rw, block, _size(rw, op, axis), ll.NSW_NUW)
    rw.define(op.result, size_value(rw, add(rw, first, _position(rw, op, axis), ll.NSW_NUW)))


@RULES.on(gpu.LaneIdOp)
def lane_id(rw: Rewriter, op: gpu.LaneIdOp) -> None:
    rw.define(op.result, _register(rw, "laneid", 0, 32))


@RULES.on(gpu.SubgroupSizeOp)
def subgroup_size(rw: Rewriter, op: gpu.SubgroupSizeOp) -> None:
    rw.define(op.result, ll.constant_i64(rw, 32))


# Lanes together


@RULES.on(gpu.BarrierOp)
def barrier(rw: Rewriter, op: gpu.BarrierOp) -> None:
    rw.emit(nvvm.Barrier0Op())


@RULES.on(xdsl_memref.AtomicRMWOp)
def atomic(rw: Rewriter, op: xdsl_memref.AtomicRMWOp) -> None:
    shared = cast("MemRefType[Attribute]", op.memref.type).memory_space == gpu.WORKGROUP
    wide = op.value.type == Float64Type()
    lower_atomic(rw, op, RELAXED, INSTRUCTIONS if shared or wide else KINDS)


@RULES.on(memref.GenericAtomicRMWOp)
def generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
    lower_generic_atomic(rw, op, RELAXED)


# Addresses


@RULES.on(xdsl_memref.ExtractAlignedPointerAsIndexOp)
def extract_pointer(rw: Rewriter, op: xdsl_memref.ExtractAlignedPointerAsIndexOp) -> None:
    """Bare addresses are generic: what reads them does not know in which memory they are."""
    base = view(rw, op.source).pointer
    if base.type != ll.pointer():
        base = ll.emit(rw, "addrspacecast", (base,), ll.pointer())
    rw.define(op.aligned_pointer, ll.emit(rw, "ptrtoint", (base,), i64))


@dataclass(frozen=True)
class ConvertGpuToNVVMPass(ModulePass):
    """Turns the code in gpu.modules into llvm and nvvm. What is outside of them stays.

    Kernels are flat (docs of `flatten-kernels`). Structured control flow becomes blocks, and a kernel a function of
    bare pointers and scalars. Its workgroup attributions become globals of shared memory; more than 48 KiB of them lie
    in memory that the launch asks for, as `hologram.shared_bytes` says. A lane whose assertion fails ends. Atomics are
    relaxed. Positions carry the ranges that the block's size gives them.

    Before::

        gpu.func @k(%a: memref<?xf32> {hologram.access = "readwrite"}) kernel known_block_size = [256, 1, 1] {
          %x = gpu.thread_id x
          gpu.barrier
          ...
        }

    After::

        llvm.func @k(%a: !llvm.ptr<1> {llvm.noalias, llvm.align = 16}) attributes {nvvm.kernel, nvvm.reqntid = ...} {
          %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
          %x = llvm.zext nneg %0 : i32 to i64
          nvvm.barrier0
          ...
        }
    """

    name = "convert-gpu-to-nvvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            convert_device_module(module, FAMILY, (RULES,))
