"""The output form `spirv`: the binary of a module's one `spirv.module`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import PassError, UsageError
from hologram.support.walking import operations

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from hologram.dialects import gpu


@dataclass(frozen=True)
class SpirvTarget(Target):
    """Writes the binary of a module's one `spirv.module`."""

    name = "spirv"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("spirv-is-binary", "a SPIR-V binary is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The binary."""
        return emit_spirv(module)


def spirv_code(module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """The binary of the one `spirv.module` in a gpu.module, as device code."""
    return emit_spirv(module)


def emit_spirv(module: Operation) -> bytes:
    """The binary of the one `spirv.module` in a module."""
    from hologram.dialects import spirv
    from hologram.lowering.targets.spirv.writer import write_module

    modules = [op for op in operations(module) if isinstance(op, spirv.ModuleOp)]
    if len(modules) != 1:
        raise PassError(
            module,
            "spirv-module-count",
            f"a SPIR-V binary is made from one spirv.module, and there are {len(modules)}",
            hint="convert-gpu-to-spirv makes one for each gpu.module",
        )
    return write_module(modules[0])
