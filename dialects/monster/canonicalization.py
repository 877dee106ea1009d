"""Canonicalisation of routes: a pattern a law."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from hologram.dialects.algebra import generators
from hologram.dialects.hologram.canonicalization import rebuild, replace
from hologram.dialects.monster import elements


class LiftProject(RewritePattern):
    """project(lift(a)) = a, and lift(project(e)) = e, as every element here was lifted."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, Operation) and {type(op), type(inner)} == {elements.LiftOp, elements.ProjectOp}:
            replace(rewriter, op, inner.operands[0])


class Route(RewritePattern):
    """route_add(a, b) = a ⊕ b and route_mul(a, b) = a ⊗ b: the routing law."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, elements.RouteOp):
            generator = {"add": generators.AddOp, "mul": generators.MulOp}[op.FUNCTION]
            rebuild(rewriter, op, generator(*op.operands, type=op.results[0].type))


PATTERNS: tuple[RewritePattern, ...] = (LiftProject(), Route())
