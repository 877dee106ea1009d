"""math to llvm, as far as an operation is one that every target computes exactly; the rest is expanded before."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import math
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Operation

from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_arith_to_llvm import NumberRules, direct, fast_flags

RULES = NumberRules()

INTRINSICS: dict[type[Operation], str] = {
    math.AbsFOp: "intr.fabs",
    math.CeilOp: "intr.ceil",
    math.CopySignOp: "intr.copysign",
    math.FloorOp: "intr.floor",
    math.FmaOp: "intr.fma",
    math.RoundOp: "intr.round",
    math.RoundEvenOp: "intr.roundeven",
    math.SqrtOp: "intr.sqrt",
    math.TruncOp: "intr.trunc",
}

FALSE = BoolAttr.from_bool(False)

for _op, _name in INTRINSICS.items():
    RULES.on(_op)(direct(_name, fast_flags))
RULES.on(math.CtPopOp)(direct("intr.ctpop", {}))
RULES.on(math.AbsIOp)(direct("intr.abs", {"is_int_min_poison": FALSE}))
RULES.on(math.CountLeadingZerosOp)(direct("intr.ctlz", {"is_zero_poison": FALSE}))
RULES.on(math.CountTrailingZerosOp)(direct("intr.cttz", {"is_zero_poison": FALSE}))


@RULES.on(math.RsqrtOp)
def convert_rsqrt(rw: Rewriter, op: math.RsqrtOp) -> None:
    operand, flags = rw.value(op.operand), fast_flags(op)
    root = ll.emit(rw, "intr.sqrt", (operand,), operand.type, flags)
    one = ll.constant(rw, operand.type, 1.0)
    rw.replace(op, ll.build("fdiv", (one, root), (operand.type,), flags))


def _refuse(rw: Rewriter, op: Operation) -> None:
    raise PassError(
        op,
        "math-no-llvm-lowering",
        f"{op.name} has no lowering to llvm: no library of the system computes it",
        hint="run expand-math before; it turns the operation into a polynomial with a stated error bound",
    )


RULES.on(*(op for op in math.Math.operations if op not in RULES.table))(_refuse)


@dataclass(frozen=True)
class ConvertMathToLLVMPass(RulesPass):
    """Turns math into llvm intrinsics; functions that need a polynomial are an error (`expand-math` comes before).

    Before: `%r = math.fma %a, %b, %c : f32`

    After: `%r = llvm.intr.fma(%a, %b, %c) : (f32, f32, f32) -> f32`
    """

    name = "convert-math-to-llvm"
    TABLE = RULES
