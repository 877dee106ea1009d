"""Affine maps of constants, accesses through casts, and loops and conditions that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, i32
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
from hologram.transforms.canonical.rules.affine_maps import simplified
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


# Maps with their operands


def simplify_map(op: Any, rewriter: PatternRewriter) -> None:
    """A map with its operands in its simplest form"""
    operands, rest = _OPERANDS[op.name](op)
    new = _simplified(op.map.data, operands)
    if new is not None:
        op.properties["map"] = AffineMapAttr(new[0])
        op.operands = [*rest, *new[1]]
        rewriter.notify_op_modified(op)


def _simplified(map: AffineMap, operands: Sequence[SSAValue]) -> tuple[AffineMap, Sequence[SSAValue]] | None:
    """A map and its operands in their simplest form; None where they have it."""
    found = simplified(map.results, operands[: map.num_dims], operands[map.num_dims :])
    new = AffineMap(len(found.dims), len(found.symbols), tuple(found.results))
    values = [*found.dims, *found.symbols]
    return None if new == map and values == [*operands] else (new, values)


_OPERANDS: dict[str, Callable[[Any], tuple[Sequence[SSAValue], Sequence[SSAValue]]]] = {
    "affine.apply": lambda op: (op.mapOperands, ()),
    "affine.min": lambda op: (op.arguments, ()),
    "affine.max": lambda op: (op.arguments, ()),
    "affine.load": lambda op: (op.indices, op.operands[:1]),
    "affine.store": lambda op: (op.indices, op.operands[:2]),
    "affine.vector_load": lambda op: (op.operands[1:], op.operands[:1]),
    "affine.vector_store": lambda op: (op.operands[2:], op.operands[:2]),
}
"""The operands of a map, and those that stand before them."""


def simplify_bounds(op: affine.ForOp, rewriter: PatternRewriter) -> None:
    """The bounds of a loop in their simplest form, each result once"""
    bounds = [(op.lowerBoundMap.data, [*op.lowerBoundOperands]), (op.upperBoundMap.data, [*op.upperBoundOperands])]
    new = [_simplified(map, operands) or (map, operands) for map, operands in bounds]
    new = [(_each_once(map), operands) for map, operands in new]
    if [map for map, _ in new] == [map for map, _ in bounds]:
        return
    inits = [*op.inits]
    op.properties["lowerBoundMap"], op.properties["upperBoundMap"] = (AffineMapAttr(map) for map, _ in new)
    op.operands = [*new[0][1], *new[1][1], *inits]
    sizes = [len(new[0][1]), len(new[1][1]), len(inits)]
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    rewriter.notify_op_modified(op)


def _each_once(map: AffineMap) -> AffineMap:
    return AffineMap(map.num_dims, map.num_symbols, tuple(dict.fromkeys(map.results)))


def choose_among_few(op: affine.MinOp | MaxOp, rewriter: PatternRewriter) -> None:
    """The least or greatest of results each of which stands once, of constants the one that counts"""
    map, join = op.map.data, min if isinstance(op, affine.MinOp) else max
    constants = [r for r in map.results if isinstance(r, AffineConstantExpr)]
    results = [*dict.fromkeys(r for r in map.results if not isinstance(r, AffineConstantExpr))]
    if constants:
        results.append(AffineConstantExpr(join(c.value for c in constants)))
    if len(results) == len(map.results):
        return
    new = AffineMap(map.num_dims, map.num_symbols, tuple(results))
    if len(results) == 1:
        rewriter.replace(op, affine.ApplyOp(op.arguments, AffineMapAttr(new)))
    else:
        op.properties["map"] = AffineMapAttr(new)
        rewriter.notify_op_modified(op)


FOLDS: Folds = Registry({affine.ApplyOp: fold_apply, affine.MinOp: fold_min, MaxOp: fold_max})
PATTERNS: Patterns = Registry(
    {
        affine.ApplyOp: (simplify_map,),
        affine.MinOp: (simplify_map, choose_among_few),
        MaxOp: (simplify_map, choose_among_few),
        affine.ForOp: (drop_idle_loop, simplify_bounds),
        affine.IfOp: (drop_idle_else,),
        affine.LoadOp: (use_source_of_cast, simplify_map),
        affine.StoreOp: (use_source_of_cast, simplify_map),
        affine.VectorLoadOp: (use_source_of_cast, simplify_map),
        affine.VectorStoreOp: (use_source_of_cast, simplify_map),
    }
)
