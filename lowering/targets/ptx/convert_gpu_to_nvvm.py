"""gpu to nvvm: the device code of NVIDIA's GPUs, out of kernels without structured control flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import Float64Type, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, llvm, nvvm
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.memref_atomics_to_llvm import INSTRUCTIONS, MONOTONIC, Order, lower_atomic
from hologram.lowering.targets.ptx.device_functions import KINDS, Family, Registers, convert_device_module, device_rules
from hologram.support.walking import operations

RELAXED = Order(MONOTONIC, "device")
"""Atomics order nothing else (isa.md section 3): fences do."""
REGISTERS = Registers(
    nvvm.REGISTERS, thread="tid", block="ctaid", block_size="ntid", grid_size="nctaid",
    most_lanes=(1024, 1024, 64), most_blocks=(2**31 - 1, 65535, 65535),
)  # fmt: skip
RULES = device_rules(REGISTERS, RELAXED)


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


@RULES.on(gpu.LaneIdOp)
def lane_id(rw: Rewriter, op: gpu.LaneIdOp) -> None:
    rw.define(op.result, REGISTERS.read(rw, "laneid", 0, 32))


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
