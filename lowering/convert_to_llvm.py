"""All conversions of core dialects to llvm in one walk."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from xdsl.passes import ModulePass

from hologram.lowering import (
    convert_arith_to_llvm,
    convert_cf_to_llvm,
    convert_func_to_llvm,
    convert_index_to_llvm,
    convert_math_to_llvm,
    convert_memref_to_llvm,
    convert_ub_to_llvm,
    convert_vector_to_llvm,
)
from hologram.lowering.conversion import Rewriter, Rules, convert_module
from hologram.lowering.llvm_types import LLVM_TYPES, llvm_types
from hologram.lowering.reconcile_unrealized_casts import reconcile

CASTS = Rules(LLVM_TYPES)


@CASTS.on(UnrealizedConversionCastOp)
def convert_cast(rw: Rewriter, op: UnrealizedConversionCastOp) -> None:
    """A cast that a partial conversion left, when the conversion of its one side gives the other."""
    inputs = [v for old in op.inputs for v in rw.values(old)]
    groups = [rw.types(r.type) for r in op.results]
    if [v.type for v in inputs] != [t for group in groups for t in group]:
        return rw.rebuild(op)
    for result, group in zip(op.results, groups, strict=True):
        rw.define(result, *inputs[: len(group)])
        inputs = inputs[len(group) :]


RULES = Rules.merge(
    (
        convert_arith_to_llvm.RULES,
        convert_cf_to_llvm.RULES,
        convert_func_to_llvm.RULES,
        convert_index_to_llvm.RULES,
        convert_math_to_llvm.RULES,
        convert_memref_to_llvm.RULES,
        convert_ub_to_llvm.RULES,
        convert_vector_to_llvm.RULES,
        CASTS,
    )
)


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
        convert_module(op, Rules(llvm_types(self.address_spaces), RULES.table))
        reconcile(op)
