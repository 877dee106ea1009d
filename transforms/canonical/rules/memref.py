"""Memory."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules.constants import integer


def fold_dim(op: memref.DimOp) -> Attribute | SSAValue | None:
    """A static size, or the operand that gave a dynamic one"""
    axis = constant_of(op.index)
    type = op.source.type
    if axis is None or not isinstance(type, MemRefType):
        return None
    shape = cast(MemRefType[Attribute], type).get_shape()
    if not 0 <= axis < len(shape):
        return None
    if shape[axis] != DYNAMIC_INDEX:
        return integer(shape[axis], op.result.type)
    made_by = op.source.owner
    if isinstance(made_by, (memref.AllocOp, memref.AllocaOp)):
        return made_by.dynamic_sizes[sum(size == DYNAMIC_INDEX for size in shape[:axis])]
    return None


def drop_unused_alloca(op: memref.AllocaOp, rewriter: PatternRewriter) -> None:
    """A buffer that is only written to is not needed"""
    users = [use.operation for use in op.memref.uses]
    if all(isinstance(user, memref.StoreOp) and user.value is not op.memref for user in users):
        for user in dict.fromkeys(users):
            rewriter.erase(user)
        rewriter.erase(op)


FOLDS: Folds = Registry({memref.DimOp: fold_dim})
PATTERNS: Patterns = Registry({memref.AllocaOp: (drop_unused_alloca,)})
