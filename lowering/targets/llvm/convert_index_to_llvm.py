"""index to llvm: arithmetic on i64."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Operation

from hologram.dialects import index
from hologram.dialects.verbs import Verb
from hologram.lowering.rewriting.conversion import Rewriter, Rules, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_arith_to_llvm import (
    ceil_div_signed,
    ceil_div_unsigned,
    direct,
    floor_div_signed,
    resize,
    rounded_division,
)
from hologram.lowering.targets.llvm.types import LLVM_TYPES

RULES = Rules(LLVM_TYPES)

DIRECT: dict[type[Operation], Verb] = {
    index.AddOp: "add",
    index.SubOp: "sub",
    index.MulOp: "mul",
    index.DivSOp: "sdiv",
    index.DivUOp: "div",
    index.RemSOp: "srem",
    index.RemUOp: "rem",
    index.MaxSOp: "smax",
    index.MaxUOp: "max",
    index.MinSOp: "smin",
    index.MinUOp: "min",
    index.ShlOp: "shl",
    index.ShrSOp: "ashr",
    index.ShrUOp: "shr",
    index.AndOp: "and",
    index.OrOp: "or",
    index.XOrOp: "xor",
}
RULES.update({op: direct(ll.INTEGERS[verb], ll.flags(ll.INTEGERS[verb])) for op, verb in DIRECT.items()})
RULES.on(index.CeilDivSOp)(rounded_division(ceil_div_signed))
RULES.on(index.CeilDivUOp)(rounded_division(ceil_div_unsigned))
RULES.on(index.FloorDivSOp)(rounded_division(floor_div_signed))


@RULES.on(index.CastSOp, index.CastUOp)
def convert_cast(rw: Rewriter, op: index.CastSOp | index.CastUOp) -> None:
    extend = "sext" if isinstance(op, index.CastSOp) else "zext"
    rw.define(op.output, resize(rw, rw.value(op.input), rw.type(op.output.type), extend))


@RULES.on(index.CmpOp)
def convert_compare(rw: Rewriter, op: index.CmpOp) -> None:
    rw.define(op.result, ll.Llvm(rw).compare(op.pred.data.value, rw.value(op.lhs), rw.value(op.rhs)))


@RULES.on(index.SizeOfOp)
def convert_size_of(rw: Rewriter, op: index.SizeOfOp) -> None:
    rw.define(op.result, ll.constant_i64(rw, 64))


@RULES.on(index.ConstantOp)
def convert_constant(rw: Rewriter, op: index.ConstantOp) -> None:
    rw.replace(op, ll.build("mlir.constant", (), (i64,), {"value": IntegerAttr(op.value.value.data, i64)}))


@RULES.on(index.BoolConstantOp)
def convert_bool_constant(rw: Rewriter, op: index.BoolConstantOp) -> None:
    rw.replace(op, ll.build("mlir.constant", (), (i1,), {"value": op.value}))


@dataclass(frozen=True)
class ConvertIndexToLLVMPass(RulesPass):
    """Turns the index dialect into arithmetic on i64.

    Before: `%s = index.add %a, %b`

    After: `%s = llvm.add %a, %b : i64`
    """

    name = "convert-index-to-llvm"
    TABLE = RULES
