"""Moves projections to rings over integer sums, differences and products, where nothing wraps.

`hoist-projections` makes a sum of projections from the projection of a sum, `sink-projections` a projection of a sum
from a sum of projections.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike

from hologram.dialects import arith as our_arith
from hologram.dialects.algebra import generators
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.shapes import dense, is_tensor, with_element
from hologram.dialects.torus.coordinates import ToRing
from hologram.dialects.torus.types import ElementsAttr
from hologram.errors import UsageError
from hologram.support.walking import operations
from hologram.torus import Ring, Torus
from hologram.transforms.analysis.effects import is_trivially_dead
from hologram.transforms.analysis.integer_ranges import RULES, Integers, Range, Ranges, bits_of, extended, fits, whole

KINDS: dict[str, str] = {
    "arith.addi": "add", "arith.subi": "sub", "arith.muli": "mul",
    "hologram.add": "add", "hologram.sub": "sub", "hologram.mul": "mul",
}  # fmt: skip
"""Operations on integers with a generator of their meaning."""


def survives_wrapping(ring: Ring, bits: int) -> bool:
    """Return whether integers modulo 2^bits have one projection: the moduli divide that power."""
    return all((1 << bits) % m == 0 for m in ring.moduli)


# Building


def integer_op(kind: str, a: SSAValue, b: SSAValue, *, nsw: bool) -> Operation:
    """A sum, difference or product of two integers, vectors or tensors of one type."""
    if is_tensor(a.type):
        tensor_op = {op.name: op for op in elementwise.ROWS}[f"hologram.{kind}"]
        return tensor_op.create(operands=[a, b], result_types=[a.type])
    flags = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW] if nsw else "none")
    arith_op: Any = {"add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp}[kind]
    return arith_op(a, b, overflow=flags)


def widened(value: SSAValue, bits: int, unsigned: bool) -> Operation:
    """An extension to so many bits."""
    type = with_element(value.type, IntegerType(bits))
    if is_tensor(value.type):
        properties: dict[str, Attribute] = {"unsigned": UnitAttr()} if unsigned else {}
        return elementwise.CastOp.create(operands=[value], result_types=[type], properties=properties)
    arith_op: Any = our_arith.ExtUIOp if unsigned else our_arith.ExtSIOp
    return arith_op(value, type)


def is_index(value: SSAValue) -> bool:
    """Return whether the integers are of `index`, whose width no cast changes."""
    return isinstance(getattr(value.type, "element_type", value.type), IndexType)


def projection(value: SSAValue) -> ToRing | None:
    """The projection that makes a value, if it has no other use than by one operation."""
    owner = value.owner
    if isinstance(owner, ToRing) and len({use.operation for use in value.uses}) == 1 and not is_index(owner.n):
        return owner
    return None


def constant_like(value: int, type: Attribute) -> Operation:
    """An integer in every place of a type."""
    if is_tensor(type):
        return tensors.ConstantOp(dense(type, [value]))
    shaped = type if getattr(type, "get_shape", None) else None
    if shaped is not None:
        return arith.ConstantOp(dense(type, [value]))
    return arith.ConstantOp(IntegerAttr(value, cast("IntegerType", type)))


_GENERATORS: dict[str, Any] = {"add": generators.AddOp, "sub": generators.SubOp, "mul": generators.MulOp}


@dataclass(frozen=True)
class HoistProjectionsPass(ModulePass):
    """Moves projections before the integer sums, differences and products that they are of: project(a + b) =
    project(a) + project(b). That is so for true integers, so it is done where the result can't wrap: by its operands'
    bounds, by the flag `nsw` (`nuw` for `project unsigned`), or as the moduli are powers of two that divide the type's
    range. `no-wrap=true` promises it for all. Extensions go too: project(ext x) = project(x).

    Before::

        %w = arith.extsi %a : i32 to i64
        %s = arith.addi %w, %w : i64
        %c = torus.project %s : i64 to !torus.coord

    After::

        %p = torus.project %a : i32 to !torus.coord
        %c = algebra.add %p, %p : !torus.coord
    """

    name = "hoist-projections"
    no_wrap: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pending = [o for o in operations(op) if isinstance(o, ToRing)]
        while pending:
            pending += self._hoist(pending.pop())

    def _hoist(self, op: ToRing) -> list[ToRing]:
        """Moves one projection; the ones made for it."""
        inner = op.n.owner
        if not isinstance(inner, Operation) or is_index(op.n):
            return []
        unsigned = op.unsigned is not None
        if (source := extended(inner)) is not None and (source or not unsigned):
            # A sign that was extended reads otherwise without one.
            new = type(op)(inner.operands[0], op.result.type, unsigned=source)
            _replace(op, [new])
            return [new]
        if inner.name not in KINDS or not self._may_move(op, inner, unsigned):
            return []
        hoisted = [type(op)(v, op.result.type, unsigned=unsigned) for v in dict.fromkeys(inner.operands)]
        parts = [next(m for m in hoisted if m.n is v) for v in inner.operands]
        _replace(op, [*hoisted, _GENERATORS[KINDS[inner.name]](*(p.result for p in parts), type=op.result.type)])
        return hoisted

    def _may_move(self, op: ToRing, inner: Operation, unsigned: bool) -> bool:
        kind = Integers(bits_of(op.n.type), unsigned)
        if self.no_wrap or survives_wrapping(op.ring, kind.bits) or fits(Ranges().exact(inner, kind), kind):
            return True
        flags = inner.properties.get("overflowFlags")
        return ("nuw" if unsigned else "nsw") in {str(f.value) for f in getattr(flags, "data", ())}


def _replace(op: ToRing, new: list[Any]) -> None:
    inner = op.n.owner
    for new_op in new:
        new_op.location = op.location
    Rewriter.replace_op(op, new)
    while isinstance(inner, Operation) and is_trivially_dead(inner):
        before = [v.owner for v in inner.operands]
        Rewriter.erase_op(inner)
        inner = next((o for o in before if isinstance(o, Operation) and is_trivially_dead(o)), None)


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
        sample = next((p for p in known if p is not None), None)
        if sample is None or any(v.type != op.results[0].type for v in op.operands):
            return
        ring = op.ring
        parts = [_term(ring, v, p, sample) for v, p in zip(op.operands, known, strict=True)]
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
        new.append(type(sample)(new[-1].results[0], op.results[0].type))
        for new_op in new:
            new_op.location = op.location
        Rewriter.replace_op(op, new)
        for dead in dict.fromkeys(p for p in known if p is not None):
            if is_trivially_dead(dead):
                Rewriter.erase_op(dead)

    def _bits(self, ring: Ring, kind: str, terms: list[Term]) -> tuple[int, bool]:
        """The width to compute in, and whether nothing wraps in it; 0 if there is none."""
        exact = RULES[kind](Integers(self.bits), *(t.range for t in terms))
        least = max(t.bits for t in terms)
        for bits in WIDTHS:
            if bits >= least and bits <= self.bits and fits(exact, Integers(bits)):
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
        return 8 if self.constant is not None else bits_of(self.source.type)


def _term(ring: Ring, value: SSAValue, to_ring: ToRing | None, sample: ToRing) -> Term | None:
    if to_ring is not None:
        unsigned = to_ring.unsigned is not None
        return Term(to_ring.n, None, unsigned, Ranges().read(to_ring.n, Integers(bits_of(to_ring.n.type), unsigned)))
    attr = ConstantLike.get_constant_value(value)
    if not isinstance(attr, ElementsAttr) or attr.splat is None:
        return None
    if isinstance(ring, Torus) and not ring.is_image(attr.splat):
        return None
    number = ring.components(attr.splat)[-1]
    return Term(sample.n, number, False, (number, number)) if number <= whole(Integers(64))[1] else None


def _value(term: Term, bits: int, new: list[Operation]) -> SSAValue:
    """A term as integers of so many bits."""
    if term.constant is not None:
        new.append(constant_like(term.constant, with_element(term.source.type, IntegerType(bits))))
    elif term.bits == bits:
        return term.source
    else:
        new.append(widened(term.source, bits, term.unsigned))
    return new[-1].results[0]
