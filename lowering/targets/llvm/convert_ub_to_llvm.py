"""ub to llvm: poison and unreachable."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import ub

from hologram.lowering.rewriting.conversion import Rewriter, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_arith_to_llvm import NumberRules

RULES = NumberRules()


@RULES.on(ub.PoisonOp)
def convert_poison(rw: Rewriter, op: ub.PoisonOp) -> None:
    rw.define(op.result, *(ll.emit(rw, "mlir.poison", (), type) for type in rw.types(op.result.type)))


@RULES.on(ub.UnreachableOp)
def convert_unreachable(rw: Rewriter, op: ub.UnreachableOp) -> None:
    rw.emit(ll.build("unreachable"))


@dataclass(frozen=True)
class ConvertUBToLLVMPass(RulesPass):
    """Turns `ub.poison` and `ub.unreachable` into llvm's.

    Before: `%p = ub.poison : i32`

    After: `%p = llvm.mlir.poison : i32`
    """

    name = "convert-ub-to-llvm"
    TABLE = RULES
