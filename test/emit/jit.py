"""Runs llvm dialect text: written as LLVM IR, compiled by the native emitter, linked by llvmlite."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import llvmlite.binding
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import host_target

llvm: Any = llvmlite.binding
"""llvmlite has no types."""

_numbers = itertools.count()
_kept: list[Any] = []


def parse(text: str) -> ModuleOp:
    """The verified module of a text."""
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return module


def ir(text: str) -> str:
    """The LLVM IR of a text."""
    return emit_llvm_ir(parse(text))


class Loaded:
    """Code in memory, from LLVM IR or an object."""

    def __init__(self, source: str | bytes):
        image = to_object(source, host_target()) if isinstance(source, str) else source
        machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic", codemodel="small")
        self.jit = llvm.create_lljit_compiler(machine)
        builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
        self.library = f"test-{next(_numbers)}"
        self.tracker = builder.link(self.jit, self.library)
        _kept.append(self)

    def address(self, name: str) -> int:
        found = self.jit.lookup(self.library, name)
        _kept.append(found)
        return found[name]

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function by its C types."""
        return ctypes.CFUNCTYPE(result, *arguments)(self.address(name))

    def memory(self, name: str, size: int) -> bytes:
        """The content of a global."""
        return ctypes.string_at(self.address(name), size)


def load(text: str) -> Loaded:
    """Compiles llvm dialect text."""
    return Loaded(ir(text))
