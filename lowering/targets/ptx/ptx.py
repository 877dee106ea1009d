"""PTX: the device code of a gpu.module through LLVM's NVPTX, made in a helper process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from xdsl.utils.target import Target

from hologram.dialects import marks
from hologram.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

    from hologram.dialects.gpu import ModuleOp as DeviceModule

TRIPLE = "nvptx64-nvidia-cuda"
ARCHITECTURES = {
    "sm_75": 71, "sm_80": 74, "sm_86": 74, "sm_87": 74, "sm_89": 78, "sm_90": 80, "sm_90a": 83, "sm_100": 86,
    "sm_100a": 86, "sm_103": 88, "sm_120": 87,
}  # fmt: skip
"""The architectures, and the version of PTX that their code is written in."""


def check_architecture(name: str) -> str:
    """`name` if it is an architecture that code can be made for."""
    if name not in ARCHITECTURES:
        hint = did_you_mean(name, ARCHITECTURES) or f"there are {', '.join(ARCHITECTURES)}"
        raise UsageError("ptx-architecture", f"there is no architecture '{name}'", hint=hint)
    return name


def device_ir(module: DeviceModule) -> str:
    """LLVM IR of a gpu.module that holds llvm and nvvm only."""
    from hologram.lowering.targets.llvm.text import module as llvm_ir
    from hologram.lowering.targets.ptx import nvvm_text as nvvm_text  # which makes nvvm known to the writer

    return llvm_ir.emit_llvm_ir(module)


def to_ptx(module: DeviceModule, architecture: str, level: int = 3) -> str:
    """PTX of a gpu.module that holds llvm and nvvm only."""
    from hologram.lowering.targets.objects.compile_helper import HELPER

    version = ARCHITECTURES[check_architecture(architecture)]
    # At level 0 copies between operands that must be one make wgmma serial.
    header = {"triple": TRIPLE, "cpu": architecture, "features": f"+ptx{version}", "level": max(level, 1)}
    return _asked_for(module) + HELPER.request("assembly", header, device_ir(module).encode()).decode()


def _asked_for(module: DeviceModule) -> str:
    """Return what the launches of each kernel must ask for, as comments that the runtime reads."""
    lines: list[str] = []
    for op in module.body.block.ops:
        if (size := op.attributes.get(marks.SHARED_BYTES)) is not None:
            name, number = cast(Any, op.properties["sym_name"]).data, cast(Any, size).value.data
            lines.append(f"// {marks.SHARED_BYTES} {name} {number}\n")
    return "".join(lines)


def ptx_target(target: str) -> Attribute:
    """Return upstream's attribute of the target of PTX."""
    from hologram.dialects.nvvm import NVVMTargetAttr

    chip = check_architecture(target or "sm_90")
    return NVVMTargetAttr.of(O=3, chip=chip, features=f"+ptx{ARCHITECTURES[chip]}")


def ptx_code(module: DeviceModule, target: str, features: Sequence[str]) -> bytes:
    """The format `ptx` of device code."""
    return to_ptx(module, target or "sm_90").encode()


@dataclass(frozen=True)
class PtxTarget(Target):
    """Prints the gpu.modules of a module, converted by convert-gpu-to-nvvm, as PTX."""

    name = "ptx"

    arch: str = "sm_90"
    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from hologram.lowering.blocks.device_modules import device_modules

        for op in device_modules(module):
            output.write(to_ptx(op, self.arch, self.level))
