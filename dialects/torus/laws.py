"""Canonicalisation of coordinates: a pattern a law."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from hologram.dialects.hologram.canonicalization import replace
from hologram.dialects.torus import coordinates
from hologram.dialects.torus.base import integer_bits


class LiftOfProjection(RewritePattern):
    """lift(project(n), n) = n."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: coordinates.LiftOp, rewriter: PatternRewriter) -> None:
        inner = op.coordinate.owner
        if isinstance(inner, coordinates.ProjectOp) and inner.n is op.hint and inner.unsigned == op.unsigned:
            replace(rewriter, op, inner.n)


class MadeOfItsParts(RewritePattern):
    """make(page(c), resonance(c)) = c, where the parts are not cut to integers that read as negative."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: coordinates.MakeOp, rewriter: PatternRewriter) -> None:
        page, resonance = op.page.owner, op.resonance.owner
        if not isinstance(page, coordinates.PageOp) or not isinstance(resonance, coordinates.ResonanceOp):
            return
        bits = [integer_bits(v.type) or 0 for v in (op.page, op.resonance)]
        positive = all(m - 1 < 1 << (b - 1) for m, b in zip(page.torus.moduli, bits, strict=True))
        if page.coordinate is resonance.coordinate and positive:
            replace(rewriter, op, page.coordinate)


class UnpackedPack(RewritePattern):
    """unpack(pack(c)) = c."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: coordinates.UnpackOp, rewriter: PatternRewriter) -> None:
        if isinstance(inner := op.packed.owner, coordinates.PackOp):
            replace(rewriter, op, inner.coordinate)


class PackedUnpack(RewritePattern):
    """pack(unpack(x)) = x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: coordinates.PackOp, rewriter: PatternRewriter) -> None:
        if isinstance(inner := op.coordinate.owner, coordinates.UnpackOp):
            replace(rewriter, op, inner.packed)


_PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {
    coordinates.LiftOp: (LiftOfProjection(),),
    coordinates.MakeOp: (MadeOfItsParts(),),
    coordinates.UnpackOp: (UnpackedPack(),),
    coordinates.PackOp: (PackedUnpack(),),
}


def patterns_of(op: type[Any]) -> tuple[RewritePattern, ...]:
    """The patterns of an operation class."""
    return _PATTERNS.get(op, ())
