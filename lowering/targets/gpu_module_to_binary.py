"""Replaces device code that is IR by device code that a device takes."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu, marks
from hologram.errors import PassError
from hologram.lowering.blocks.kernel_records import kernels_of
from hologram.lowering.targets.device_formats import find_format, target_of


@dataclass(frozen=True)
class GpuModuleToBinaryPass(ModulePass):
    """Replaces each gpu.module by a gpu.binary with its code in a format (`ptx`, `spirv`, `wgsl`, `opencl-c`, `msl`,
    `mlir`).

    `target` is the architecture or version that the format makes code for, `features` what the device has of what
    devices may lack; `device` is the kind of devices that the code is for.

    Before::

        gpu.module @kernels attributes {hologram.kernels = "[...]"} { gpu.func @f(...) kernel { ... } }

    After::

        gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">,
                                         assembly = ".version 8.0 ...">] {hologram.kernels = "[...]", ...}

    Languages that upstream has no target attribute for are named by a string: `#gpu.object<"wgsl", ...>`.
    """

    name = "gpu-module-to-binary"
    format: str
    device: str = ""
    target: str = ""
    features: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        format = find_format(self.format)
        modules = [o for o in op.body.block.ops if isinstance(o, gpu.ModuleOp)]
        if len(modules) > 1:
            raise PassError(
                modules[1],
                "device-modules",
                "there are several gpu.modules, and a program has one",
                hint="run outline-gpu-kernels, which joins them",
            )
        for module in modules:
            kernels_of(module)
            code = format.emit(module, self.target, self.features)
            made_for = target_of(self.format, self.target)
            binary = gpu.BinaryOp(module.sym_name.data, [gpu.ObjectAttr.of(made_for, format.kind, code)])
            binary.attributes |= {
                marks.KERNELS: module.attributes[marks.KERNELS],
                marks.DEVICE: StringAttr(self.device or self.format),
                marks.FORMAT: StringAttr(self.format),
                marks.TARGET: StringAttr(self.target),
            }
            binary.location = module.location
            Rewriter.replace_op(module, binary)
