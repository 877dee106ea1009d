"""arith to llvm: scalars and one-dimensional vectors; index is i64."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith as xdsl_arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import arith
from hologram.dialects.llvm import FastMathAttr
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rule, Rules, convert_module
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.types import LLVM_TYPES

RULES = Rules(LLVM_TYPES)

SAME_SHAPE: dict[type[Operation], str] = {
    xdsl_arith.AndIOp: "and",
    xdsl_arith.OrIOp: "or",
    xdsl_arith.XOrIOp: "xor",
    xdsl_arith.DivSIOp: "sdiv",
    xdsl_arith.DivUIOp: "udiv",
    xdsl_arith.RemSIOp: "srem",
    xdsl_arith.RemUIOp: "urem",
    xdsl_arith.ShRSIOp: "ashr",
    xdsl_arith.ShRUIOp: "lshr",
    xdsl_arith.MaxSIOp: "intr.smax",
    xdsl_arith.MaxUIOp: "intr.umax",
    xdsl_arith.MinSIOp: "intr.smin",
    xdsl_arith.MinUIOp: "intr.umin",
    xdsl_arith.ExtFOp: "fpext",
    xdsl_arith.TruncFOp: "fptrunc",
    xdsl_arith.ExtSIOp: "sext",
    xdsl_arith.ExtUIOp: "zext",
    xdsl_arith.TruncIOp: "trunc",
    xdsl_arith.SIToFPOp: "sitofp",
    xdsl_arith.UIToFPOp: "uitofp",
    xdsl_arith.FPToSIOp: "fptosi",
    xdsl_arith.FPToUIOp: "fptoui",
    xdsl_arith.BitcastOp: "bitcast",
}
"""Operations that are one llvm operation without flags."""

WITH_OVERFLOW: dict[type[Operation], str] = {
    xdsl_arith.AddiOp: "add",
    xdsl_arith.SubiOp: "sub",
    xdsl_arith.MuliOp: "mul",
    xdsl_arith.ShLIOp: "shl",
}

WITH_FASTMATH: dict[type[Operation], str] = {
    xdsl_arith.AddfOp: "fadd",
    xdsl_arith.SubfOp: "fsub",
    xdsl_arith.MulfOp: "fmul",
    xdsl_arith.DivfOp: "fdiv",
    arith.RemFOp: "frem",
    xdsl_arith.NegfOp: "fneg",
    xdsl_arith.MaximumfOp: "intr.maximum",
    xdsl_arith.MinimumfOp: "intr.minimum",
    xdsl_arith.MaxnumfOp: "intr.maxnum",
    xdsl_arith.MinnumfOp: "intr.minnum",
}


def has_llvm_form(rw: Rewriter, op: Operation) -> bool:
    """Whether `op` computes on scalars or vectors of one dimension; on tensors it stays as it is.

    Raises an error for vectors of more dimensions, which nothing later can lower.
    """
    for values in (op.results, op.operands):
        for value in values:
            rank = rw.of_type("rank", value.type, _vector_rank)
            if rank is None:
                return False
            if rank > 1:
                raise PassError(
                    op,
                    "vector-rank-unsupported",
                    f"{op.name} on {value.type} has no lowering to llvm: only vectors of one dimension have",
                    hint="unroll the outer dimensions first",
                )
    return True


def _vector_rank(type: Attribute) -> int | None:
    """The dimensions of a vector, 0 for a scalar, None for a tensor."""
    if isinstance(type, TensorType):
        return None
    return type.get_num_dims() if isinstance(type, VectorType) else 0


def fast_flags(op: Operation) -> Mapping[str, Attribute]:
    """The llvm property for an operation's `fastmath` property."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, xdsl_arith.FastMathFlagsAttr) or not flags.data:
        return {"fastmathFlags": ll.NO_FASTMATH}
    return {"fastmathFlags": FastMathAttr(flags.data)}


def _overflow_flags(op: Operation) -> Mapping[str, Attribute]:
    flags = op.properties.get("overflowFlags")
    if not isinstance(flags, xdsl_arith.IntegerOverflowAttr) or not flags.data:
        return ll.WRAP
    return {"overflowFlags": IntegerAttr(sum(_OVERFLOW_BITS[f] for f in flags.data), i32)}


_OVERFLOW_BITS = {xdsl_arith.IntegerOverflowFlag.NSW: 1, xdsl_arith.IntegerOverflowFlag.NUW: 2}


def direct(name: str, properties: Mapping[str, Attribute] | None = None) -> Rule:
    """The rule for an operation that is one llvm operation; `properties`, or fast-math flags where it has them."""
    op_type = ll.OPERATIONS["llvm." + name]

    def rule(rw: Rewriter, op: Operation) -> None:
        if not has_llvm_form(rw, op):
            return rw.rebuild(op)
        rw.replace(
            op,
            op_type.create(
                operands=[rw.value(v) for v in op.operands],
                result_types=[rw.type(r.type) for r in op.results],
                properties=fast_flags(op) if properties is None else properties,
            ),
        )

    return rule


def _with_overflow(name: str) -> Rule:
    op_type = ll.OPERATIONS["llvm." + name]

    def rule(rw: Rewriter, op: Operation) -> None:
        if not has_llvm_form(rw, op):
            return rw.rebuild(op)
        operands = [rw.value(v) for v in op.operands]
        rw.replace(
            op, op_type.create(operands=operands, result_types=[operands[0].type], properties=_overflow_flags(op))
        )

    return rule


RULES.update({op: direct(name, ll.flags(name)) for op, name in SAME_SHAPE.items()})
RULES.update({op: _with_overflow(name) for op, name in WITH_OVERFLOW.items()})
RULES.update({op: direct(name) for op, name in WITH_FASTMATH.items()})


@RULES.on(xdsl_arith.ConstantOp)
def convert_constant(rw: Rewriter, op: xdsl_arith.ConstantOp) -> None:
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    type = rw.type(op.result.type)
    rw.replace(op, ll.build("mlir.constant", (), (type,), {"value": constant_value(op.value, type)}))


def constant_value(value: Attribute, type: Attribute) -> Attribute:
    """The value of a constant, with index made i64."""
    if isinstance(value, IntegerAttr):
        number = cast("IntegerAttr[IntegerType | IndexType]", value)
        return ll.number(number.value.data) if isinstance(number.type, IndexType) else number
    if isinstance(value, DenseIntOrFPElementsAttr):
        # Elements of index are stored as i64, and a shape without dimensions holds one element: the bytes stay.
        dense = cast("DenseIntOrFPElementsAttr[Any]", value)
        return dense if dense.type == type else DenseIntOrFPElementsAttr(cast("VectorType[Any]", type), dense.data)
    return value


@RULES.on(xdsl_arith.CmpiOp)
def convert_cmpi(rw: Rewriter, op: xdsl_arith.CmpiOp) -> None:
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    operands = (rw.value(op.lhs), rw.value(op.rhs))
    rw.replace(op, ll.build("icmp", operands, (rw.type(op.result.type),), {"predicate": op.predicate}))


@RULES.on(xdsl_arith.CmpfOp)
def convert_cmpf(rw: Rewriter, op: xdsl_arith.CmpfOp) -> None:
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    operands = (rw.value(op.lhs), rw.value(op.rhs))
    properties = {"predicate": op.predicate, **fast_flags(op)}
    rw.replace(op, ll.build("fcmp", operands, (rw.type(op.result.type),), properties))


@RULES.on(xdsl_arith.SelectOp)
def convert_select(rw: Rewriter, op: xdsl_arith.SelectOp) -> None:
    """A memref is chosen part by part."""
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    condition = rw.value(op.cond)
    pairs = zip(rw.values(op.lhs), rw.values(op.rhs), strict=True)
    rw.define(op.result, *(ll.select(rw, condition, yes, no) for yes, no in pairs))


# Casts with index


def _index_cast(op_name: str) -> Rule:
    def rule(rw: Rewriter, op: Operation) -> None:
        if not has_llvm_form(rw, op):
            return rw.rebuild(op)
        rw.define(op.results[0], resize(rw, rw.value(op.operands[0]), rw.type(op.results[0].type), op_name))

    return rule


def resize(rw: Rewriter, value: SSAValue, type: Attribute, extend: str) -> SSAValue:
    """`value` as an integer type of another width; `extend` is `sext` or `zext`."""
    before, after = ll.width(value.type), ll.width(type)
    if before == after:
        return value
    return ll.extend(rw, extend, value, type) if before < after else ll.truncate(rw, value, type)


RULES.update({xdsl_arith.IndexCastOp: _index_cast("sext"), arith.IndexCastUIOp: _index_cast("zext")})


# Expansions


def floor_div_signed(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    """q - 1 where there is a remainder and the signs differ, else q."""
    return _adjusted_quotient(rw, left, right, ll.SLT, -1)


def ceil_div_signed(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    """q + 1 where there is a remainder and the signs are the same, else q."""
    return _adjusted_quotient(rw, left, right, ll.SGE, 1)


def _adjusted_quotient(rw: Rewriter, left: SSAValue, right: SSAValue, signs: int, by: int) -> SSAValue:
    zero = ll.constant(rw, left.type, 0)
    quotient = ll.binary(rw, "sdiv", left, right)
    inexact = ll.compare(rw, ll.NE, ll.binary(rw, "srem", left, right), zero)
    adjust = ll.binary(rw, "and", inexact, ll.compare(rw, signs, ll.binary(rw, "xor", left, right), zero))
    return ll.select(rw, adjust, ll.binary(rw, "add", quotient, ll.constant(rw, left.type, by)), quotient)


def ceil_div_unsigned(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    """q + 1 where there is a remainder, else q."""
    quotient = ll.binary(rw, "udiv", left, right)
    remainder = ll.binary(rw, "urem", left, right)
    inexact = ll.compare(rw, ll.NE, remainder, ll.constant(rw, left.type, 0))
    return ll.select(rw, inexact, ll.binary(rw, "add", quotient, ll.constant(rw, left.type, 1)), quotient)


@RULES.on(xdsl_arith.FloorDivSIOp, xdsl_arith.CeilDivSIOp, xdsl_arith.CeilDivUIOp)
def convert_rounded_division(
    rw: Rewriter, op: xdsl_arith.FloorDivSIOp | xdsl_arith.CeilDivSIOp | xdsl_arith.CeilDivUIOp
) -> None:
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    left, right = rw.value(op.lhs), rw.value(op.rhs)
    match op:
        case xdsl_arith.FloorDivSIOp():
            quotient = floor_div_signed(rw, left, right)
        case xdsl_arith.CeilDivSIOp():
            quotient = ceil_div_signed(rw, left, right)
        case _:
            quotient = ceil_div_unsigned(rw, left, right)
    rw.define(op.result, quotient)


@RULES.on(xdsl_arith.AddUIExtendedOp)
def convert_add_extended(rw: Rewriter, op: xdsl_arith.AddUIExtendedOp) -> None:
    """The sum wrapped exactly if it is less than an operand; llvm sees the carry in that."""
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    left, right = rw.value(op.lhs), rw.value(op.rhs)
    total = ll.binary(rw, "add", left, right)
    rw.define(op.sum, total)
    rw.define(op.overflow, ll.compare(rw, ll.ULT, total, left))


@RULES.on(xdsl_arith.MulSIExtendedOp, xdsl_arith.MulUIExtendedOp)
def convert_multiply_extended(rw: Rewriter, op: xdsl_arith.MulSIExtendedOp | xdsl_arith.MulUIExtendedOp) -> None:
    """One multiplication of twice the width, then its halves."""
    if not has_llvm_form(rw, op):
        return rw.rebuild(op)
    extend = "sext" if isinstance(op, xdsl_arith.MulSIExtendedOp) else "zext"
    type = rw.type(op.low.type)
    bits = ll.width(type)
    double = ll.with_element(type, IntegerType(2 * bits))
    left, right = (ll.extend(rw, extend, rw.value(v), double) for v in (op.lhs, op.rhs))
    full = ll.binary(rw, "mul", left, right)
    high = ll.binary(rw, "lshr", full, ll.constant(rw, double, bits))
    rw.define(op.low, ll.truncate(rw, full, type))
    rw.define(op.high, ll.truncate(rw, high, type))


@dataclass(frozen=True)
class ConvertArithToLLVMPass(ModulePass):
    """Turns arith into llvm; values of other dialects stay, behind `builtin.unrealized_conversion_cast`.

    Before: `%s = arith.addi %a, %b overflow<nsw> : index`

    After: `%s = llvm.add %a, %b overflow<nsw> : i64`
    """

    name = "convert-arith-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, RULES)
