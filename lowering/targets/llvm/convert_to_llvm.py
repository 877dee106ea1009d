"""All conversions of core dialects to llvm in one walk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from xdsl.passes import ModulePass

from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.reconcile_unrealized_casts import reconcile
from hologram.lowering.targets.llvm import convert_memref_to_llvm
from hologram.lowering.targets.llvm.types import LLVM_TYPES, llvm_types
from hologram.support.walking import operations

CASTS = Rules(LLVM_TYPES)


@CASTS.on(UnrealizedConversionCastOp)
def convert_cast(rw: Rewriter, op: UnrealizedConversionCastOp) -> None:
    """A cast that a partial conversion left, when the conversion of its one side gives the other."""
    inputs = rw.all_values(op.inputs)
    if [v.type for v in inputs] != rw.all_types(op.result_types):
        return rw.rebuild(op)
    rw.define_all(op.results, inputs)


CONVERTED = ("arith", "cf", "func", "index", "math", "memref", "ub", "vector")
"""The dialects that have a table of rules, each in a module of its own."""


def rules_of(dialects: Collection[str]) -> Rules:
    """The rules for operations of these dialects, and for casts; no others are loaded."""
    modules = [import_module(f"hologram.lowering.targets.llvm.convert_{d}_to_llvm") for d in CONVERTED if d in dialects]
    return Rules.merge((*(m.RULES for m in modules), CASTS))


@dataclass(frozen=True)
class ConvertToLLVMPass(ModulePass):
    """Turns arith, cf, func, index, math, memref, ub and vector into llvm, in one walk.

    The same rules as in the passes `convert-*-to-llvm`, without casts between them.

    Before: `func.func @f(%a: memref<4xf32>) { ... return }`

    After: `llvm.func @f(%a: !llvm.ptr {...}) attributes {hologram.entry = "..."} { ... llvm.return }`
    """

    name = "convert-to-llvm"

    address_spaces: str = "none"
    """The family of targets that says what memory spaces are: none (strip them), nvptx, amdgpu, spirv."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_memref_to_llvm.check_spaces(self.address_spaces)
        rules = rules_of({o.name.partition(".")[0] for o in operations(op)})
        convert_module(op, Rules(llvm_types(self.address_spaces), rules.table))
        reconcile(op)
