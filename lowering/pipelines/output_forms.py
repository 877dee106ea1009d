"""The output forms: `llvm-ir`, `llvm-opt`, `asm` and `obj` go through LLVM; the others have modules of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from xdsl.utils.target import Target

from hologram.errors import UsageError
from hologram.lowering.targets.objects import native
from hologram.support.late_table import factories

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.support.host_target import HostTarget


@dataclass(frozen=True)
class LlvmIrTarget(Target):
    """Prints a module of the llvm dialect as LLVM IR, with all that LLVM's own tools need to give the code that we run.

    It is for this machine, unless `triple` or the module's `llvm.target_triple` names another: then the text has the
    data layout of that, and no processor's features.
    """

    name = "llvm-ir"

    triple: str = ""
    data_layout: str = ""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
        from hologram.support.host_target import host_target

        text = emit_llvm_ir(module, triple=self.triple, data_layout=self.data_layout)
        named = self.triple or self.data_layout or "llvm.target_triple" in module.attributes
        output.write(text if named else native.self_contained(text, host_target()))


@dataclass(frozen=True)
class _CompiledTarget(Target):
    """The base of what LLVM makes of a module for this machine, at an optimisation `level`."""

    level: int = 3

    def _compiled(self, module: ModuleOp, *steps: Callable[[Any, HostTarget, int], Any]) -> Any:
        """Return what steps of LLVM's make of the module's LLVM IR, one after the other."""
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
        from hologram.support.host_target import host_target

        code: Any = emit_llvm_ir(module)
        for step in steps:
            code = step(code, host_target(), native.checked_level(self.level))
        return code


@dataclass(frozen=True)
class LlvmOptTarget(_CompiledTarget):
    """Prints a module of the llvm dialect as LLVM IR, optimised for this machine."""

    name = "llvm-opt"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self._compiled(module, native.optimise))


@dataclass(frozen=True)
class AssemblyTarget(_CompiledTarget):
    """Prints a module of the llvm dialect as assembly for this machine."""

    name = "asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self._compiled(module, native.optimise, native.to_assembly))


@dataclass(frozen=True)
class ObjectTarget(_CompiledTarget):
    """Writes a module of the llvm dialect as an object file for this machine."""

    name = "obj"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("object-is-binary", "an object file is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The object file."""
        return self._compiled(module, native.compile_object)


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

    return {target.name: factory(target) for target in _TARGETS} | factories("hologram.lowering", _LATE)
