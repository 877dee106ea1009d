"""Assembly of AMD's GPUs: the device code of a gpu.module through LLVM's AMDGPU, made in a helper process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from xdsl.ir import Operation
from xdsl.utils.target import Target

from hologram.dialects.rocdl import REGISTERS
from hologram.errors import UsageError, did_you_mean
from hologram.lowering.targets.llvm.text.writer import INSTRUCTIONS, Writer

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects.gpu import ModuleOp as DeviceModule

TRIPLE = "amdgcn-amd-amdhsa"
ARCHITECTURES = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200")
"""The architectures that code is made for; it was run on none."""
_BLOCK_AT, _GRID_AT = 4, 12
"""Bytes of the launch's packet where the sizes of a block (16 bits each) and of the grid in lanes (32 bits) are."""


@INSTRUCTIONS.on(*(f"rocdl.{name}" for name in REGISTERS))
def _register(w: Writer, op: Operation, head: str) -> None:
    name, _, axis = op.name.removeprefix("rocdl.").rpartition(".")
    if name in ("workgroup.dim", "grid.dim"):
        return _size(w, head, name, "xyz".index(axis))
    given: Any = op.properties.get("range")
    bounds = "" if given is None else f"range(i32 {given.lower.data}, {given.upper.data}) "
    w.lines.append(f"{head}call {bounds}i32 @llvm.amdgcn.{op.name.removeprefix('rocdl.')}()")


def _size(w: Writer, head: str, name: str, axis: int) -> None:
    """A size out of the packet that started the kernel; the grid's is in lanes there."""
    packet, place, short, lanes = (f"%{w.fresh(n)}" for n in ("packet", "place", "short", "lanes"))
    w.lines.append(f"  {packet} = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()")
    w.lines.append(f"  {place} = getelementptr i8, ptr addrspace(4) {packet}, i64 {_BLOCK_AT + 2 * axis}")
    w.lines.append(f"  {short} = load i16, ptr addrspace(4) {place}, align 2")
    if name == "workgroup.dim":
        return w.lines.append(f"{head}zext i16 {short} to i32")
    wide, grid, more, total = (f"%{w.fresh(n)}" for n in ("wide", "grid", "more", "total"))
    w.lines.append(f"  {wide} = zext i16 {short} to i32")
    w.lines.append(f"  {grid} = getelementptr i8, ptr addrspace(4) {packet}, i64 {_GRID_AT + 4 * axis}")
    w.lines.append(f"  {lanes} = load i32, ptr addrspace(4) {grid}, align 4")
    w.lines.append(f"  {more} = add i32 {wide}, -1")
    w.lines.append(f"  {total} = add i32 {lanes}, {more}")
    w.lines.append(f"{head}udiv i32 {total}, {wide}")


@INSTRUCTIONS.on("rocdl.barrier")
def _barrier(w: Writer, op: Operation, head: str) -> None:
    w.lines.append('  fence syncscope("workgroup") release')
    w.lines.append("  call void @llvm.amdgcn.s.barrier()")
    w.lines.append('  fence syncscope("workgroup") acquire')


def to_amdgcn(module: DeviceModule, architecture: str, level: int = 3) -> str:
    """Assembly of a gpu.module that holds llvm and rocdl only."""
    from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
    from hologram.lowering.targets.objects.compile_helper import HELPER

    if architecture not in ARCHITECTURES:
        hint = did_you_mean(architecture, ARCHITECTURES) or f"there are {', '.join(ARCHITECTURES)}"
        raise UsageError("amdgcn-architecture", f"there is no architecture '{architecture}'", hint=hint)
    header = {"triple": TRIPLE, "cpu": architecture, "features": "", "level": max(level, 1)}
    return HELPER.request("assembly", header, emit_llvm_ir(module).encode()).decode()


@dataclass(frozen=True)
class AmdgcnTarget(Target):
    """Prints the gpu.modules of a module, converted by convert-gpu-to-rocdl, as assembly of AMD's GPUs."""

    name = "amdgcn"

    arch: str = "gfx942"
    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from hologram.lowering.blocks.device_modules import device_modules

        for op in device_modules(module):
            output.write(to_amdgcn(op, self.arch, self.level))
