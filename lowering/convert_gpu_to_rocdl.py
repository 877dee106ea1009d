"""gpu to rocdl: the device code of AMD's GPUs, out of flat kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, llvm, memref, rocdl
from hologram.lowering import llvm_build as ll
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.convert_memref_to_llvm import convert_alloca
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
BLOCK, GRID = 1024, 2**31 - 1
"""The most lanes of a block, and blocks of the grid, along an axis."""
RELAXED = Order(MONOTONIC, "agent")
KINDS = {kind: word for kind, word in INSTRUCTIONS.items() if kind != ADDF}
"""What atomics have an instruction of: sums of floats are loops, as those in memory may flush subnormals."""


def _leave(rw: Rewriter) -> None:
    rw.emit(llvm.CallIntrinsicOp("llvm.amdgcn.endpgm", []))
    rw.emit(llvm.UnreachableOp())


FAMILY = Family(
    name="amdgpu",
    kernel="rocdl.kernel",
    static_shared=64 * 1024,
    block_size="rocdl.reqd_work_group_size",
    leave=_leave,
    launched_bytes=None,
    shared_limit=64 * 1024,
)


def _known_sizes(op: Operation) -> Sequence[int] | None:
    kernel = kernel_of(op)
    known = None if kernel is None else kernel.known_block_size
    return None if known is None else cast(Sequence[int], known.get_values())


def _register(rw: Rewriter, name: str, axis: int, least: int, below: int) -> SSAValue:
    """A position or size as an i64; every block reads it once."""
    full = f"{name}.{'xyz'[axis]}"
    return rw.once((full, least, below), lambda: _read(rw, rocdl.REGISTERS[full](below, least)))


def _read(rw: Rewriter, register: Any) -> SSAValue:
    value = rw.emit(register).res
    return rw.emit(llvm.ZExtOp.create(operands=(value,), result_types=(i64,), properties={"nonNeg": UnitAttr()})).res


def _number(op: gpu.IdOp) -> int:
    return AXES.index(op.dimension.data)


def _size(rw: Rewriter, op: Operation, axis: int) -> Size:
    known = _known_sizes(op)
    return _register(rw, "workgroup.dim", axis, 1, BLOCK + 1) if known is None else known[axis]


def _position(rw: Rewriter, op: Operation, axis: int) -> SSAValue:
    known = _known_sizes(op)
    return _register(rw, "workitem.id", axis, 0, BLOCK if known is None else known[axis])


@RULES.on(gpu.ThreadIdOp)
def thread_id(rw: Rewriter, op: gpu.ThreadIdOp) -> None:
    rw.define(op.result, _position(rw, op, _number(op)))


@RULES.on(gpu.BlockIdOp)
def block_id(rw: Rewriter, op: gpu.BlockIdOp) -> None:
    rw.define(op.result, _register(rw, "workgroup.id", _number(op), 0, GRID))


@RULES.on(gpu.BlockDimOp)
def block_dim(rw: Rewriter, op: gpu.BlockDimOp) -> None:
    rw.define(op.result, size_value(rw, _size(rw, op, _number(op))))


@RULES.on(gpu.GridDimOp)
def grid_dim(rw: Rewriter, op: gpu.GridDimOp) -> None:
    rw.define(op.result, _register(rw, "grid.dim", _number(op), 1, GRID))


@RULES.on(gpu.GlobalIdOp)
def global_id(rw: Rewriter, op: gpu.GlobalIdOp) -> None:
    axis = _number(op)
    block = _register(rw, "workgroup.id", axis, 0, GRID)
    first = multiply(rw, block, _size(rw, op, axis), ll.NSW_NUW)
    rw.define(op.result, size_value(rw, add(rw, first, _position(rw, op, axis), ll.NSW_NUW)))


@RULES.on(gpu.BarrierOp)
def barrier(rw: Rewriter, op: gpu.BarrierOp) -> None:
    rw.emit(rocdl.BarrierOp())


@RULES.on(xdsl_memref.AtomicRMWOp)
def atomic(rw: Rewriter, op: xdsl_memref.AtomicRMWOp) -> None:
    lower_atomic(rw, op, RELAXED, KINDS)


@RULES.on(memref.GenericAtomicRMWOp)
def generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
    lower_generic_atomic(rw, op, RELAXED)


SCOPES = {"block": "workgroup", "device": "agent"}
"""How AMDGPU calls those who see a fence."""


@RULES.on(llvm.FenceOp)
def fence(rw: Rewriter, op: llvm.FenceOp) -> None:
    scope = op.syncscope
    properties = dict(op.properties)
    if scope is not None:
        properties["syncscope"] = StringAttr(SCOPES.get(scope.data, scope.data))
    rw.emit(llvm.FenceOp.create(properties=properties))


@RULES.on(xdsl_memref.AllocaOp)
def alloca(rw: Rewriter, op: xdsl_memref.AllocaOp) -> None:
    """The stack is private memory; what is to be in any memory is a generic address of it."""
    convert_alloca(rw, op)
    pointer, *rest = rw.values(op.memref)
    made = pointer.owner
    private = ll.pointer(5)
    if pointer.type == private or not isinstance(made, Operation):
        return
    new = ll.build("alloca", made.operands, (private,), made.properties)
    new.location = made.location
    block = made.parent
    assert block is not None
    cast_op = ll.build("addrspacecast", new.results, (pointer.type,))
    block.insert_ops_before([new, cast_op], made)
    rw.define(op.memref, cast_op.results[0], *rest)
    block.erase_op(made)


@RULES.on(xdsl_memref.ExtractAlignedPointerAsIndexOp)
def extract_pointer(rw: Rewriter, op: xdsl_memref.ExtractAlignedPointerAsIndexOp) -> None:
    """Bare addresses are generic: what reads them does not know in which memory they are."""
    base = view(rw, op.source).pointer
    if base.type != ll.pointer():
        base = ll.emit(rw, "addrspacecast", (base,), ll.pointer())
    rw.define(op.aligned_pointer, ll.emit(rw, "ptrtoint", (base,), i64))


@dataclass(frozen=True)
class ConvertGpuToROCDLPass(ModulePass):
    """Turns the code in gpu.modules into llvm and rocdl, by the rules of `convert-gpu-to-nvvm`.

    Before: `%x = gpu.thread_id x`

    After::

        %0 = rocdl.workitem.id.x range <i32, 0, 256> : i32
        %x = llvm.zext nneg %0 : i32 to i64
    """

    name = "convert-gpu-to-rocdl"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            convert_device_module(module, FAMILY, (RULES,))
