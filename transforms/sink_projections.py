"""`sink-projections`: a sum of projections becomes a projection of a sum."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike

from hologram.dialects.algebra import generators
from hologram.dialects.torus.base import integer_bits, with_element
from hologram.dialects.torus.coordinates import ToRing
from hologram.dialects.torus.types import ElementsAttr
from hologram.errors import UsageError
from hologram.torus import Ring, Torus
from hologram.transforms.effects import is_trivially_dead
from hologram.transforms.projections import (
    Range,
    combined,
    constant_like,
    fits,
    integer_op,
    projection,
    range_of,
    survives_wrapping,
    whole,
    widened,
)
from hologram.walking import operations

WIDTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


@dataclass(frozen=True)
class SinkProjectionsPass(ModulePass):
    """Moves projections behind the sums, differences and products of the ring, so that a chain of them reduces once:
    project(a) + project(b) = project(a + b). The integers are widened, up to `bits` (64 by default), so that nothing
    wraps; what would not fit stays, unless all moduli are powers of two, which survive wrapping. Only projections
    without other uses move; constants that are projections join in.

    Before::

        %p = torus.project %a : i16 to !torus.coord
        %q = torus.project %b : i16 to !torus.coord
        %c = algebra.mul %p, %q : !torus.coord

    After::

        %x = arith.extsi %a : i16 to i32
        %y = arith.extsi %b : i16 to i32
        %m = arith.muli %x, %y overflow<nsw> : i32
        %c = torus.project %m : i32 to !torus.coord
    """

    name = "sink-projections"
    bits: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.bits not in WIDTHS:
            raise UsageError(
                "sink-bits",
                f"option 'bits' of sink-projections is {', '.join(map(str, WIDTHS))}, not {self.bits}",
            )
        for inner in operations(op):
            if isinstance(inner, generators.GeneratorOp) and inner.name in _KINDS:
                self._sink(inner)

    def _sink(self, op: generators.GeneratorOp) -> None:
        known = [projection(v) for v in op.operands]
        shown = next((p for p in known if p is not None), None)
        if shown is None or any(v.type != op.results[0].type for v in op.operands):
            return
        ring = op.ring
        parts = [_term(ring, v, p, shown) for v, p in zip(op.operands, known, strict=True)]
        terms = [t for t in parts if t is not None]
        if len(terms) < len(parts):
            return
        kind = _KINDS[op.name]
        bits, exact = self._bits(ring, kind, terms)
        if bits == 0:
            return
        new: list[Operation] = []
        values = [_value(t, bits, new) for t in terms]
        new.append(integer_op(kind, *values, nsw=exact))
        new.append(type(shown)(new[-1].results[0], op.results[0].type))
        for made in new:
            made.location = op.location
        Rewriter.replace_op(op, new)
        for dead in dict.fromkeys(p for p in known if p is not None):
            if is_trivially_dead(dead):
                Rewriter.erase_op(dead)

    def _bits(self, ring: Ring, kind: str, terms: list[Term]) -> tuple[int, bool]:
        """The width to compute in, and whether nothing wraps in it; 0 if there is none."""
        exact = combined(kind, *(t.range for t in terms))
        least = max(t.bits for t in terms)
        for bits in WIDTHS:
            if bits >= least and bits <= self.bits and fits(exact, bits, unsigned=False):
                return bits, True
        return (least, False) if survives_wrapping(ring, least) else (0, False)


_KINDS = {"algebra.add": "add", "algebra.sub": "sub", "algebra.mul": "mul"}


@dataclass(frozen=True)
class Term:
    """An operand as integers: a value, or a constant of the type of another one's."""

    source: SSAValue
    constant: int | None
    unsigned: bool
    range: Range

    @property
    def bits(self) -> int:
        """The bits of the integers as they are; of a constant none in particular."""
        return 8 if self.constant is not None else integer_bits(self.source.type) or 0


def _term(ring: Ring, value: SSAValue, found: ToRing | None, shown: ToRing) -> Term | None:
    if found is not None:
        unsigned = found.unsigned is not None
        return Term(found.n, None, unsigned, range_of(found.n, unsigned))
    attr = ConstantLike.get_constant_value(value)
    if not isinstance(attr, ElementsAttr) or attr.splat is None:
        return None
    if isinstance(ring, Torus) and not ring.is_image(attr.splat):
        return None
    number = ring.components(attr.splat)[-1]
    return Term(shown.n, number, False, (number, number)) if number <= whole(64, False)[1] else None


def _value(term: Term, bits: int, new: list[Operation]) -> SSAValue:
    """A term as integers of so many bits."""
    if term.constant is not None:
        new.append(constant_like(term.constant, with_element(term.source.type, IntegerType(bits))))
    elif term.bits == bits:
        return term.source
    else:
        new.append(widened(term.source, bits, term.unsigned))
    return new[-1].results[0]
