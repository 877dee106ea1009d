"""ub to llvm: poison and unreachable."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import ub
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_arith_to_llvm import has_llvm_form
from hologram.lowering.targets.llvm.types import LLVM_TYPES

RULES = Rules(LLVM_TYPES)


@RULES.on(ub.PoisonOp)
def convert_poison(rw: Rewriter, op: ub.PoisonOp) -> None:
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    rw.define(op.result, *(ll.emit(rw, "mlir.poison", (), type) for type in rw.types(op.result.type)))


@RULES.on(ub.UnreachableOp)
def convert_unreachable(rw: Rewriter, op: ub.UnreachableOp) -> None:
    rw.emit(ll.build("unreachable"))


@dataclass(frozen=True)
class ConvertUBToLLVMPass(ModulePass):
    """Turns `ub.poison` and `ub.unreachable` into llvm's.

    Before: `%p = ub.poison : i32`

    After: `%p = llvm.mlir.poison : i32`
    """

    name = "convert-ub-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, RULES)
