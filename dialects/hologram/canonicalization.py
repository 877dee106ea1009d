"""Canonicalisation of element-wise operations on splat constants, and of moves that cancel."""

from __future__ import annotations

from typing import Any

from xdsl.pattern_rewriter import RewritePattern


def elementwise_patterns(op: type[Any]) -> tuple[RewritePattern, ...]:
    return ()
