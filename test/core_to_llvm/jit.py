"""Lowers the text of core dialects to llvm and runs it, with no part of the runtime: llvmlite and ctypes only."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from io import StringIO
from typing import Any, cast

import llvmlite.binding
import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects import make_context
from hologram.lowering import get_all_passes

# llvmlite has no types.
llvm: Any = llvmlite.binding

LOWER = ("convert-scf-to-cf", "convert-to-llvm")
"""The passes in one walk each."""
SINGLY = (
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-arith-to-llvm",
    "convert-memref-to-llvm",
    "convert-index-to-llvm",
    "convert-math-to-llvm",
    "convert-ub-to-llvm",
    "convert-cf-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)
"""The same, a dialect at a time."""


def parse(text: str) -> ModuleOp:
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return module


def lower(text: str, passes: Sequence[str] = LOWER) -> ModuleOp:
    """The module of `text` after `passes`, verified after each."""
    module = parse(text)
    known = get_all_passes()
    for name in passes:
        known[name]()().apply(make_context(), module)
        module.verify()
    return module


def generic(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def records(module: ModuleOp) -> list[dict[str, Any]]:
    """The entry records of a lowered module."""
    found = (op.attributes.get("hologram.entry") for op in module.walk())
    return [json.loads(r.data) for r in found if isinstance(r, StringAttr)]


def llvm_ir(module: ModuleOp) -> str:
    from hologram.lowering.targets.llvm.text.module import emit_llvm_ir

    return emit_llvm_ir(module)


class Compiled:
    """A lowered, optimised and loaded module."""

    def __init__(self, text: str, passes: Sequence[str] = LOWER, *, optimise: bool = True):
        self.module = lower(text, passes)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.ir = llvm_ir(self.module)
        parsed = llvm.parse_assembly(self.ir)
        parsed.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
        )
        if optimise:
            builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
            builder.getModulePassManager().run(parsed, builder)
        self.optimised = str(parsed)
        self._engine = llvm.create_mcjit_compiler(parsed, machine)
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        return self._engine.get_function_address(name)

    def call(self, name: str, *args: Any, result: Any = None) -> Any:
        """Calls a function: arrays go as pointers, numbers as i64, ctypes values as they are."""
        passed: list[Any] = [_pass(a) for a in args]
        types: list[Any] = [type(p) for p in passed]
        function = ctypes.CFUNCTYPE(result, *types)(self.address(name))
        return function(*passed)


def _pass(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(cast(Any, value).ctypes.data)
    return ctypes.c_int64(value) if isinstance(value, int) else value
