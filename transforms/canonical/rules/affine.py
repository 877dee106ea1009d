"""Affine maps of constants, accesses through casts, and loops and conditions that do nothing."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.affine import MaxOp
from hologram.dialects.arith import constant_of
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules.constants import integer
from hologram.transforms.canonical.rules.memref import use_source_of_cast

_UNDIVIDED = (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)


def _values(map: AffineMap, operands: Sequence[SSAValue]) -> tuple[int, ...] | None:
    """The results of a map of constants; None where a divisor is not a positive constant, and of more than 64 bits."""
    known = [constant_of(operand) for operand in operands]
    numbers = [number for number in known if number is not None]
    if len(numbers) != len(known) or not all(_divides_safely(expr) for result in map.results for expr in result.dfs()):
        return None
    values = map.eval(numbers[: map.num_dims], numbers[map.num_dims :])
    return values if all(-(1 << 63) <= value < 1 << 63 for value in values) else None


def _divides_safely(expr: AffineExpr) -> bool:
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind in _UNDIVIDED:
        return True
    return isinstance(expr.rhs, AffineConstantExpr) and expr.rhs.value > 0


def fold_apply(op: affine.ApplyOp) -> Attribute | SSAValue | None:
    """A map that gives an operand, or a map of constants"""
    map = op.map.data
    match map.results[0]:
        case AffineDimExpr(position):
            return op.mapOperands[position]
        case AffineSymExpr(position):
            return op.mapOperands[map.num_dims + position]
        case _:
            values = _values(map, op.mapOperands)
            return None if values is None else integer(values[0], op.result.type)


def fold_min(op: affine.MinOp) -> Attribute | None:
    """The least result of a map of constants"""
    values = _values(op.map.data, op.arguments)
    return None if not values else integer(min(values), op.result.type)


def fold_max(op: MaxOp) -> Attribute | None:
    """The greatest result of a map of constants"""
    values = _values(op.map.data, op.arguments)
    return None if not values else integer(max(values), op.result.type)


def _does_nothing(block: Block) -> bool:
    return block.first_op is block.last_op


def drop_idle_loop(op: affine.ForOp, rewriter: PatternRewriter) -> None:
    """A loop that does nothing and gives nothing goes; one that never runs gives what it starts with"""
    if not op.results:
        if _does_nothing(op.body.block):
            rewriter.erase(op)
        return
    lower = _values(op.lowerBoundMap.data, op.lowerBoundOperands)
    upper = _values(op.upperBoundMap.data, op.upperBoundOperands)
    if lower and upper and max(lower) >= min(upper):
        rewriter.replace(op, [], op.inits)


def drop_idle_else(op: affine.IfOp, rewriter: PatternRewriter) -> None:
    """An else branch that does nothing and gives nothing is not there"""
    if op.res or not op.else_region.blocks or not _does_nothing(op.else_region.block):
        return
    block = op.else_region.block
    assert block.last_op is not None
    rewriter.erase(block.last_op)
    op.else_region.detach_block(block)
    block.erase()


FOLDS: Folds = Registry({affine.ApplyOp: fold_apply, affine.MinOp: fold_min, MaxOp: fold_max})
PATTERNS: Patterns = Registry(
    {
        affine.ForOp: (drop_idle_loop,),
        affine.IfOp: (drop_idle_else,),
        affine.LoadOp: (use_source_of_cast,),
        affine.StoreOp: (use_source_of_cast,),
        affine.VectorLoadOp: (use_source_of_cast,),
        affine.VectorStoreOp: (use_source_of_cast,),
    }
)
