"""Branches between blocks."""

from __future__ import annotations

from xdsl.dialects import cf
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns


def drop_true_assert(op: cf.AssertOp, rewriter: PatternRewriter) -> None:
    """assert true does nothing"""
    if constant_of(op.arg):
        rewriter.erase(op)


FOLDS: Folds = Registry()
PATTERNS: Patterns = Registry({cf.AssertOp: (drop_true_assert,)})
