"""Canonicalisation of circuits that keeps all their readings: a pattern a law."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from hologram.dialects.hologram.canonicalization import rebuild
from hologram.dialects.sigil.ops import GeneratorOp, TargetAttr, TransformOp
from hologram.dialects.sigil.syntax import IDENTITY, RANGE, Transform
from hologram.support.walking import enclosing


class OwnTransforms(RewritePattern):
    """A sigil with a transform of its own names the class that it comes to: c21^R+1 = c45."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, GeneratorOp):
            return
        target = op.target.data
        if target.form == RANGE or not any(s.axis or s.mirror for s in target.sigils):
            return
        (plain,) = target.moved(IDENTITY)
        op.properties["target"] = TargetAttr(plain)
        rewriter.notify_op_modified(op)


class Chain(RewritePattern):
    """A transform of nothing but a transform is one chain of them."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, TransformOp) or len(op.body.block.ops) != 1:
            return
        inner = op.body.block.first_op
        if isinstance(inner, TransformOp):
            moves = [move.data for move in (*op.moves, *inner.moves)]
            rebuild(rewriter, op, TransformOp(moves, inner.detach_region(inner.body)))


class NoTransform(RewritePattern):
    """An outermost transform by nothing, R+0, has no words and moves no class."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, TransformOp) or op.moves.data[0].data != Transform() or enclosing(op, TransformOp):
            return
        rest = [move.data for move in op.moves.data[1:]]
        if rest:
            rebuild(rewriter, op, TransformOp(rest, op.detach_region(op.body)))
            return
        rewriter.inline_block(op.body.block, InsertPoint.before(op))
        rewriter.erase(op)
