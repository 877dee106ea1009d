"""arith to llvm: scalars and one-dimensional vectors; index is i64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import arith as xdsl_arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import arith, verbs
from hologram.dialects.llvm import FastMathAttr
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rule, Rules, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.types import LLVM_TYPES

CASTS: dict[type[Operation], str] = {
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
"""Conversions of arith that are one of llvm without flags."""

WITH_FASTMATH: dict[type[Operation], str] = {
    **{op: ll.FLOATS[verb] for verb, op in verbs.FLOATS.items()},
    arith.RemFOp: "frem",
    xdsl_arith.NegfOp: "fneg",
    xdsl_arith.MaxnumfOp: "intr.maxnum",
    xdsl_arith.MinnumfOp: "intr.minnum",
}


def has_llvm_form(rw: Rewriter, op: Operation) -> bool:
    """Return whether `op` computes on scalars or vectors of one dimension, not on tensors.

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
    """Return the number of dimensions of a vector, 0 for a scalar, None for a tensor."""
    if isinstance(type, TensorType):
        return None
    return type.get_num_dims() if isinstance(type, VectorType) else 0


def fast_flags(op: Operation) -> Mapping[str, Attribute]:
    """Return the llvm property for an operation's `fastmath` property."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, xdsl_arith.FastMathFlagsAttr) or not flags.data:
        return ll.FAST
    return {"fastmathFlags": FastMathAttr(flags.data)}


def _overflow_flags(op: Operation) -> Mapping[str, Attribute]:
    flags = op.properties.get("overflowFlags")
    if not isinstance(flags, xdsl_arith.IntegerOverflowAttr) or not flags.data:
        return ll.WRAP
    return {"overflowFlags": IntegerAttr(sum(_OVERFLOW_BITS[f] for f in flags.data), i32)}


_OVERFLOW_BITS = {xdsl_arith.IntegerOverflowFlag.NSW: 1, xdsl_arith.IntegerOverflowFlag.NUW: 2}


class NumberRules(Rules):
    """Rules of operations on scalars and vectors of one dimension; `otherwise` is the rule of those on tensors."""

    def __init__(self, otherwise: Rule = Rewriter.rebuild):
        super().__init__(LLVM_TYPES)
        self.otherwise = otherwise

    def on(self, *keys: Any) -> Callable[[Any], Any]:
        def register(rule: Rule) -> Rule:
            def checked(rw: Rewriter, op: Operation) -> None:
                (rule if has_llvm_form(rw, op) else self.otherwise)(rw, op)

            self.update(dict.fromkeys(keys, checked))
            return rule

        return register


RULES = NumberRules()


def direct(name: str, properties: Mapping[str, Attribute] | Callable[[Operation], Mapping[str, Attribute]]) -> Rule:
    """Return the rule for an operation that is one llvm operation with some properties."""
    op_type = ll.OPERATIONS["llvm." + name]

    def rule(rw: Rewriter, op: Operation) -> None:
        rw.replace(
            op,
            op_type.create(
                operands=[rw.value(v) for v in op.operands],
                result_types=[rw.type(r.type) for r in op.results],
                properties=properties(op) if callable(properties) else properties,
            ),
        )

    return rule


for _verb, _op in verbs.INTEGERS.items():
    _name = ll.INTEGERS[_verb]
    RULES.on(_op)(direct(_name, _overflow_flags if ll.flags(_name) else {}))
for _op, _name in CASTS.items():
    RULES.on(_op)(direct(_name, ll.flags(_name)))
for _op, _name in WITH_FASTMATH.items():
    RULES.on(_op)(direct(_name, fast_flags))


@RULES.on(xdsl_arith.ConstantOp)
def convert_constant(rw: Rewriter, op: xdsl_arith.ConstantOp) -> None:
    type = rw.type(op.result.type)
    rw.replace(op, ll.build("mlir.constant", (), (type,), {"value": constant_value(op.value, type)}))


def constant_value(value: Attribute, type: Attribute) -> Attribute:
    """Return the value of a constant, with index made i64."""
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
    operands = (rw.value(op.lhs), rw.value(op.rhs))
    rw.replace(op, ll.build("icmp", operands, (rw.type(op.result.type),), {"predicate": op.predicate}))


@RULES.on(xdsl_arith.CmpfOp)
def convert_cmpf(rw: Rewriter, op: xdsl_arith.CmpfOp) -> None:
    operands = (rw.value(op.lhs), rw.value(op.rhs))
    properties = {"predicate": op.predicate, **fast_flags(op)}
    rw.replace(op, ll.build("fcmp", operands, (rw.type(op.result.type),), properties))


@RULES.on(xdsl_arith.SelectOp)
def convert_select(rw: Rewriter, op: xdsl_arith.SelectOp) -> None:
    """A memref is chosen part by part."""
    condition = rw.value(op.cond)
    pairs = zip(rw.values(op.lhs), rw.values(op.rhs), strict=True)
    rw.define(op.result, *(ll.Llvm(rw).select(condition, yes, no) for yes, no in pairs))


# Casts with index


def _index_cast(op_name: str) -> Rule:
    def rule(rw: Rewriter, op: Operation) -> None:
        rw.define(op.results[0], resize(rw, rw.value(op.operands[0]), rw.type(op.results[0].type), op_name))

    return rule


def resize(rw: Rewriter, value: SSAValue, type: Attribute, extend: str) -> SSAValue:
    """Emit `value` as an integer type of another width; `extend` is `sext` or `zext`."""
    before, after = ll.width(value.type), ll.width(type)
    if before == after:
        return value
    return ll.extend(rw, extend, value, type) if before < after else ll.truncate(rw, value, type)


RULES.on(xdsl_arith.IndexCastOp)(_index_cast("sext"))
RULES.on(arith.IndexCastUIOp)(_index_cast("zext"))


# Expansions


Division = Callable[[Rewriter, SSAValue, SSAValue], SSAValue]


def _rounded(signs: str, by: int) -> Division:
    """Return a division whose quotient is changed `by` one where there is a remainder and the signs say so."""

    def divide(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
        x = ll.Llvm(rw)
        zero = x.constant(0, left.type)
        quotient = x.sdiv(left, right)
        inexact = x.compare("ne", x.srem(left, right), zero)
        adjust = x.both(inexact, x.compare(signs, x.xor(left, right), zero))
        return x.select(adjust, x.add(quotient, by), quotient)

    return divide


def ceil_div_unsigned(rw: Rewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    """Emit q + 1 where there is a remainder, else q."""
    x = ll.Llvm(rw)
    quotient = x.div(left, right)
    inexact = x.compare("ne", x.rem(left, right), 0)
    return x.select(inexact, x.add(quotient, 1), quotient)


floor_div_signed = _rounded("slt", -1)
ceil_div_signed = _rounded("sge", 1)


def rounded_division(divide: Division) -> Rule:
    """Return the rule for a division that rounds otherwise than towards zero."""

    def rule(rw: Rewriter, op: Operation) -> None:
        left, right = (rw.value(v) for v in op.operands)
        rw.define(op.results[0], divide(rw, left, right))

    return rule


RULES.on(xdsl_arith.FloorDivSIOp)(rounded_division(floor_div_signed))
RULES.on(xdsl_arith.CeilDivSIOp)(rounded_division(ceil_div_signed))
RULES.on(xdsl_arith.CeilDivUIOp)(rounded_division(ceil_div_unsigned))


@RULES.on(xdsl_arith.AddUIExtendedOp)
def convert_add_extended(rw: Rewriter, op: xdsl_arith.AddUIExtendedOp) -> None:
    """The sum wrapped exactly if it is less than an operand; llvm sees the carry in that."""
    left, right = rw.value(op.lhs), rw.value(op.rhs)
    total = ll.Llvm(rw).add(left, right)
    rw.define(op.sum, total)
    rw.define(op.overflow, ll.Llvm(rw).compare("ult", total, left))


@RULES.on(xdsl_arith.MulSIExtendedOp, xdsl_arith.MulUIExtendedOp)
def convert_multiply_extended(rw: Rewriter, op: xdsl_arith.MulSIExtendedOp | xdsl_arith.MulUIExtendedOp) -> None:
    """One multiplication of twice the width, then its halves."""
    extend = "sext" if isinstance(op, xdsl_arith.MulSIExtendedOp) else "zext"
    type = rw.type(op.low.type)
    bits = ll.width(type)
    double = ll.with_element(type, IntegerType(2 * bits))
    left, right = (ll.extend(rw, extend, rw.value(v), double) for v in (op.lhs, op.rhs))
    full = ll.Llvm(rw).mul(left, right)
    high = ll.Llvm(rw).shr(full, bits)
    rw.define(op.low, ll.truncate(rw, full, type))
    rw.define(op.high, ll.truncate(rw, high, type))


@dataclass(frozen=True)
class ConvertArithToLLVMPass(RulesPass):
    """Turns arith into llvm; values of other dialects stay, behind `builtin.unrealized_conversion_cast`.

    Before: `%s = arith.addi %a, %b overflow<nsw> : index`

    After: `%s = llvm.add %a, %b overflow<nsw> : i64`
    """

    name = "convert-arith-to-llvm"
    TABLE = RULES
