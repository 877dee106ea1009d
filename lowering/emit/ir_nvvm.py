"""How operations of the nvvm dialect are written as LLVM IR: as intrinsics, and as PTX in line where there is none."""

from __future__ import annotations

from typing import Any, cast

from xdsl.ir import Operation

from hologram.dialects.nvvm import REGISTERS
from hologram.lowering.emit import ir_tensor_core
from hologram.lowering.emit.ir_writer import INSTRUCTIONS, Instruction, Writer

_NO_INTRINSIC = {"dynamic.smem.size", "total.smem.size"}
"""Registers that LLVM 22 has no intrinsic for."""


def _register(w: Writer, op: Operation, head: str) -> None:
    given: Any = op.properties.get("range")
    kind = w.types(op.results[0].type)
    if (name := op.name.removeprefix("nvvm.read.ptx.sreg.")) in _NO_INTRINSIC:
        text = f"mov.u32 $0, %{name.replace('.', '_')};"
        return w.lines.append(f'{head}call {kind} asm "{text}", "=r"()')
    bounds = "" if given is None else f"range({w.types(given.type)} {given.lower.data}, {given.upper.data}) "
    w.lines.append(f"{head}call {bounds}{kind} @llvm.{op.name}()")


def _barrier0(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")


def _exit(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}call void @llvm.nvvm.exit()")


_WRITTEN: dict[str, Instruction] = {
    **{cast(str, op.name): _register for op in REGISTERS.values()},
    "nvvm.barrier0": _barrier0,
    "nvvm.exit": _exit,
}


def register() -> None:
    """Makes the operations known to the writer of LLVM IR."""
    INSTRUCTIONS.update(_WRITTEN | ir_tensor_core.WRITTEN)
