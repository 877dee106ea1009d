"""WebAssembly: modules of the llvm dialect to wasm32 objects by LLVM, and to modules that load as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import UsageError
from hologram.lowering.emit.wasm_builtins import BUILTINS, texts_of

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.host_target import HostTarget

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"
"""What every engine of today has: vectors of 16 bytes, no threads, no relaxed vector instructions."""


def target() -> HostTarget:
    """What code is generated for."""
    from hologram.host_target import HostTarget

    return HostTarget(TRIPLE, "generic", FEATURES)


def to_object(text: str, level: int = 3) -> bytes:
    """The wasm32 object of LLVM IR text, made in a helper process."""
    from hologram.lowering.emit.compile_helper import HELPER

    header = {"triple": TRIPLE, "cpu": "generic", "level": level}
    return HELPER.request("wasm", header, text.encode())


def to_object_here(text: str, level: int) -> bytes:
    """The same in this process. Functions that LLVM calls by name come from our own text, if it calls them."""
    from hologram.lowering.emit.native import compile_ir
    from hologram.lowering.emit.native import to_object as generate
    from hologram.lowering.emit.wasm_link import missing

    found = compile_ir(text, target(), level)
    needed = [name for name in missing(found.object) if name in BUILTINS]
    if not needed:
        return found.object
    return generate(found.optimised + texts_of(needed), target(), level)


@dataclass(frozen=True)
class WasmTarget(Target):
    """Writes a module of the llvm dialect as a WebAssembly module that an engine loads as it is."""

    name = "wasm"

    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("wasm-is-binary", "a WebAssembly module is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The module."""
        from hologram.lowering.emit.llvm_ir import emit_llvm_ir
        from hologram.lowering.emit.targets import checked_level
        from hologram.lowering.emit.wasm_link import link

        return link(to_object(emit_llvm_ir(module), checked_level(self.level)))
