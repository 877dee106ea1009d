"""gpu to rocdl: the device code of AMD's GPUs, out of flat kernels."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from hologram.dialects import gpu, llvm, rocdl
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_memref_to_llvm import convert_alloca
from hologram.lowering.targets.llvm.memref_atomics_to_llvm import MONOTONIC, Order, lower_atomic
from hologram.lowering.targets.ptx.device_functions import KINDS, Family, Registers, convert_device_module, device_rules
from hologram.support.walking import operations

RELAXED = Order(MONOTONIC, "agent")
REGISTERS = Registers(
    rocdl.REGISTERS, thread="workitem.id", block="workgroup.id", block_size="workgroup.dim", grid_size="grid.dim",
    most_lanes=(1024, 1024, 1024), most_blocks=(2**31 - 1, 2**31 - 1, 2**31 - 1),
)  # fmt: skip
RULES = device_rules(REGISTERS, RELAXED)


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


@RULES.on(gpu.BarrierOp)
def barrier(rw: Rewriter, op: gpu.BarrierOp) -> None:
    rw.emit(rocdl.BarrierOp())


@RULES.on(xdsl_memref.AtomicRMWOp)
def atomic(rw: Rewriter, op: xdsl_memref.AtomicRMWOp) -> None:
    lower_atomic(rw, op, RELAXED, KINDS)


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
    alloca_op = pointer.owner
    private = ll.pointer(5)
    if pointer.type == private or not isinstance(alloca_op, Operation):
        return
    new = ll.build("alloca", alloca_op.operands, (private,), alloca_op.properties)
    new.location = alloca_op.location
    block = alloca_op.parent
    assert block is not None
    cast_op = ll.build("addrspacecast", new.results, (pointer.type,))
    block.insert_ops_before([new, cast_op], alloca_op)
    rw.define(op.memref, cast_op.results[0], *rest)
    block.erase_op(alloca_op)


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
