"""`hoist-projections`: a projection of a sum becomes a sum of projections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.algebra import generators
from hologram.dialects.torus.base import integer_bits
from hologram.dialects.torus.coordinates import ToRing
from hologram.transforms.effects import is_trivially_dead
from hologram.transforms.projections import KINDS, extended, fits, is_index, survives_wrapping, true_range
from hologram.walking import operations

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
        made = [type(op)(v, op.result.type, unsigned=unsigned) for v in dict.fromkeys(inner.operands)]
        parts = [next(m for m in made if m.n is v) for v in inner.operands]
        _replace(op, [*made, _GENERATORS[KINDS[inner.name]](*(p.result for p in parts), type=op.result.type)])
        return made

    def _may_move(self, op: ToRing, inner: Operation, unsigned: bool) -> bool:
        bits = integer_bits(op.n.type)
        assert bits is not None
        if self.no_wrap or survives_wrapping(op.ring, bits) or fits(true_range(inner, unsigned), bits, unsigned):
            return True
        flags = inner.properties.get("overflowFlags")
        return ("nuw" if unsigned else "nsw") in {str(f.value) for f in getattr(flags, "data", ())}


def _replace(op: ToRing, new: list[Any]) -> None:
    inner = op.n.owner
    for made in new:
        made.location = op.location
    Rewriter.replace_op(op, new)
    while isinstance(inner, Operation) and is_trivially_dead(inner):
        before = [v.owner for v in inner.operands]
        Rewriter.erase_op(inner)
        inner = next((o for o in before if isinstance(o, Operation) and is_trivially_dead(o)), None)
