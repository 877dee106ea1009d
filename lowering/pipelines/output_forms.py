"""The output forms: `llvm-ir`, `llvm-opt`, `asm` and `obj` go through LLVM; the others have modules of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import UsageError
from hologram.lowering.targets.objects.native import checked_level

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class LlvmIrTarget(Target):
    """Prints a module of the llvm dialect as LLVM IR."""

    name = "llvm-ir"

    triple: str = ""
    data_layout: str = ""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir

        output.write(emit_llvm_ir(module, triple=self.triple, data_layout=self.data_layout))


@dataclass(frozen=True)
class LlvmOptTarget(Target):
    """Prints a module of the llvm dialect as LLVM IR, optimised for this machine."""

    name = "llvm-opt"

    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(_optimised(module, self.level))


@dataclass(frozen=True)
class AssemblyTarget(Target):
    """Prints a module of the llvm dialect as assembly for this machine."""

    name = "asm"

    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from hologram.lowering.targets.objects.native import to_assembly
        from hologram.support.host_target import host_target

        output.write(to_assembly(_optimised(module, self.level), host_target(), self.level))


@dataclass(frozen=True)
class ObjectTarget(Target):
    """Writes a module of the llvm dialect as an object file for this machine."""

    name = "obj"

    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("object-is-binary", "an object file is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The object file."""
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
        from hologram.lowering.targets.objects.native import compile_object
        from hologram.support.host_target import host_target

        return compile_object(emit_llvm_ir(module), host_target(), checked_level(self.level))


def _optimised(module: ModuleOp, level: int) -> str:
    from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
    from hologram.lowering.targets.objects.native import optimise
    from hologram.support.host_target import host_target

    return optimise(emit_llvm_ir(module), host_target(), checked_level(level))


_TARGETS = (LlvmIrTarget, LlvmOptTarget, AssemblyTarget, ObjectTarget)
_LATE = {
    # output form: (module in this package, class), imported when it is asked for
    "amdgcn": ("targets.ptx.amdgcn", "AmdgcnTarget"),
    "atlas-asm": ("machine.assembly", "AtlasAsmTarget"),
    "atlas-binary": ("machine.binary", "AtlasBinaryTarget"),
    "circuit": ("numbers.circuit_text", "CircuitTarget"),
    "msl": ("targets.text.kernels", "MslTarget"),
    "opencl-c": ("targets.text.kernels", "OpenCLTarget"),
    "ptx": ("targets.ptx.ptx", "PtxTarget"),
    "spirv": ("targets.spirv.target", "SpirvTarget"),
    "wgsl": ("targets.text.kernels", "WgslTarget"),
    "wasm": ("targets.objects.wasm", "WasmTarget"),
}


def get_all_targets() -> dict[str, Callable[[], type[Target]]]:
    """The output forms by name."""

    def factory(target: type[Target]) -> Callable[[], type[Target]]:
        return lambda: target

    def late(module: str, name: str) -> Callable[[], type[Target]]:
        return lambda: getattr(import_module(f"hologram.lowering.{module}"), name)

    ours = {target.name: factory(target) for target in _TARGETS}
    return ours | {name: late(*row) for name, row in _LATE.items()}
