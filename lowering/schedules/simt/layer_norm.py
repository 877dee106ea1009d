"""Layer norm for devices: rows of the usual lengths are held in registers, all others walked over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.norms import LayerNormOp
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder
from hologram.lowering.schedules.nest import Access, Nest
from hologram.lowering.schedules.simt.held_rows import HeldRow, HeldRowParameters, Units, held_rows
from hologram.lowering.schedules.simt.rows import Rows, WalkedRow, dtype_of_element

Scaled = Callable[[SSAValue, SSAValue, SSAValue], SSAValue]


def schedule_layer_norm(b: Builder, op: LayerNormOp, target: Target, parameters: HeldRowParameters) -> None:
    """((x - mu) / sqrt(v + eps)) * gamma + beta."""
    values = [b.rw.value(v) for v in (op.ins[0], *op.outs, *op.ins[1:3])]
    rank, outer = op.rank(0), op.rank(0) - op.rank(1)
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    sizes = [[b.size(v, d) for v in values[:2]] for d in range(rank)]
    extents = [next((s for s in known if isinstance(s, int)), known[0]) for known in sizes]
    accesses = [Access(v, tuple(dims if n < 2 else dims[outer:])) for n, v in enumerate(values)]
    nest, group_of = Nest(extents, accesses).merged(b, barriers=[outer])
    parallel = len({g for g in group_of[:outer]})
    rows = Rows(b, target, parameters, nest, parallel, dtype_of_element(op.ins[0]))
    code = _LayerNorm(rows, op.eps.value.data)
    _ = rows.count  # For rows that are walked over, where the host still computes.
    held_rows(rows, parameters, code.held, lambda: rows.emit(code.walked))


@dataclass
class _LayerNorm:
    """All rows."""

    rows: Rows
    eps: float

    def walked(self, row: WalkedRow) -> None:
        row.read()
        units, scaled = self._normal(row, self.rows.count)

        def compute(values: Sequence[SSAValue], *weights: Sequence[SSAValue]) -> list[SSAValue]:
            return [scaled(*given) for given in zip(units(values), *weights, strict=True)]

        row.write((2, 3), compute)

    def held(self, row: HeldRow) -> None:
        row.read()
        row.share()
        row.write((2, 3), *self._normal(row, self.rows.b.constant(float(row.elements), self.rows.wide)))

    def _normal(self, row: WalkedRow | HeldRow, count: SSAValue) -> tuple[Units, Scaled]:
        """What makes units of elements, and results of these and their weights; `count` is how many elements there
        are."""
        b, wide = self.rows.b, self.rows.wide
        mean = b.op(scalar.DivOp(wide, row.sum(lambda x: x), count))

        def less(x: SSAValue) -> SSAValue:
            return b.op(scalar.SubOp(wide, x, mean))

        def square(x: SSAValue) -> SSAValue:
            d = less(x)
            return b.op(scalar.MulOp(wide, d, d))

        eps = b.constant(self.eps, wide)
        variance = b.op(scalar.DivOp(wide, row.sum(square), count))
        divided = row.divided_by(b.op(scalar.SqrtOp(wide, b.op(scalar.AddOp(wide, variance, eps)))))

        def units(values: Sequence[SSAValue]) -> list[SSAValue]:
            return divided([less(x) for x in values])

        def scaled(unit: SSAValue, gamma: SSAValue, beta: SSAValue) -> SSAValue:
            return b.op(scalar.AddOp(wide, b.op(scalar.MulOp(wide, unit, gamma)), beta))

        return units, scaled
