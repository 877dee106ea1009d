"""Softmax for devices: rows of the usual lengths are cached in registers, all others walked over.

Layer norm for devices: rows of the usual lengths are cached in registers, all others walked over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from hologram.dialects import marks
from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.dialects.atlas.arrays.named import SoftmaxOp
from hologram.dialects.atlas.arrays.norms import LayerNormOp
from hologram.dialects.atlas.instructions import scalar
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.lowering.schedules.common.nest import Access, Nest, axis_last
from hologram.lowering.schedules.common.reduction_form import combine, halved
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.simt.rows import (
    CachedRow,
    CachedRowParameters,
    RepeatedRow,
    Row,
    Rows,
    Scale,
    cached_rows,
)


@dataclass(frozen=True)
class SoftmaxParameters(CachedRowParameters):
    """Parameters of rows without other operands, where a thread needs fewer registers."""

    resident: int = 6


def schedule_softmax(b: Builder, op: SoftmaxOp, target: Target, parameters: SoftmaxParameters) -> None:
    """m = max(x), e = exp(x - m), e / sum(e)."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    rows = Rows(b, target, parameters, nest, len(nest.extents) - 1, dtype_in(op.ins[0]))
    cached_rows(rows, parameters, _cached, lambda: rows.emit(_walked))


def _powers(row: Row, greatest: SSAValue) -> Callable[[SSAValue], SSAValue]:
    """Return the function that makes e of an element."""
    b, wide = row.b, row.wide

    def power(x: SSAValue) -> SSAValue:
        exp_op = scalar.ExpOp(wide, b.of(wide).sub(x, greatest))
        exp_op.attributes[marks.NOT_ABOVE_ZERO] = UnitAttr()
        return b.op(exp_op)

    return power


def _cached(row: CachedRow) -> None:
    row.read()
    row.replace(_powers(row, row.greatest()))
    row.share()
    row.write([], row.divided_by(row.sum(_itself)), _itself)


def _itself(x: SSAValue) -> SSAValue:
    return x


def _walked(row: RepeatedRow) -> None:
    b, at, wide = row.b, row.at, row.wide
    lowest = b.constant(identity(Kind.max_nan, wide), wide)

    def look(place: Index, lanes: int, elements: list[SSAValue], values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        row.keep(elements, place)
        # Neighbours before the others, so that few wait for one another.
        mine = halved(b, Kind.max_nan, wide, elements, loose=True)
        return [combine(b, Kind.max_nan, wide, values[0], mine, loose=True)]

    (mine,) = row.fold([lowest], look, lambda place, lanes: row.load(0, place, lanes))
    power = _powers(row, row.greatest(mine))
    if row.array is not None:
        row.each(lambda place, lanes, found: row.keep([power(x) for x in found], place), row.kept)
        at.barrier()

    def element(x: SSAValue) -> SSAValue:
        return x if row.array is not None else power(x)

    total = row.sum(element)

    def quotients(elements: list[SSAValue]) -> list[SSAValue]:
        return [b.of(wide).div(element(x), total) for x in elements]

    row.write([], quotients)


Scaled = Callable[[SSAValue, SSAValue, SSAValue], SSAValue]


def schedule_layer_norm(b: Builder, op: LayerNormOp, target: Target, parameters: CachedRowParameters) -> None:
    """((x - mu) / sqrt(v + eps)) * gamma + beta."""
    values = [b.rw.value(v) for v in (op.ins[0], *op.outs, *op.ins[1:3])]
    rank, outer = op.rank(0), op.rank(0) - op.rank(1)
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    sizes = [[b.size(v, d) for v in values[:2]] for d in range(rank)]
    extents = [next((s for s in known if isinstance(s, int)), known[0]) for known in sizes]
    accesses = [Access(v, tuple(dims if n < 2 else dims[outer:])) for n, v in enumerate(values)]
    nest, group_of = Nest(extents, accesses).merged(b, barriers=[outer])
    parallel = len({g for g in group_of[:outer]})
    rows = Rows(b, target, parameters, nest, parallel, dtype_in(op.ins[0]))
    code = _LayerNorm(rows, op.eps.value.data)
    _ = rows.count  # For rows that are walked over, where the host still computes.
    cached_rows(rows, parameters, code.cached, lambda: rows.emit(code.walked))


@dataclass
class _LayerNorm:
    """All rows."""

    rows: Rows
    eps: float

    def walked(self, row: RepeatedRow) -> None:
        row.read()
        normal, scaled = self._normal(row, self.rows.count)

        def compute(values: Sequence[SSAValue], *weights: Sequence[SSAValue]) -> list[SSAValue]:
            return [scaled(*given) for given in zip(normal(values), *weights, strict=True)]

        row.write((2, 3), compute)

    def cached(self, row: CachedRow) -> None:
        row.read()
        row.share()
        row.write((2, 3), *self._normal(row, self.rows.b.constant(float(row.elements), self.rows.wide)))

    def _normal(self, row: RepeatedRow | CachedRow, count: SSAValue) -> tuple[Scale, Scaled]:
        """Return the functions that scale elements to a deviation of 1 and that apply weights; `count` is how many
        elements there are."""
        b, wide = self.rows.b, self.rows.wide
        mean = b.of(wide).div(row.sum(lambda x: x), count)

        def less(x: SSAValue) -> SSAValue:
            return b.of(wide).sub(x, mean)

        def square(x: SSAValue) -> SSAValue:
            d = less(x)
            return b.of(wide).mul(d, d)

        eps = b.constant(self.eps, wide)
        variance = b.of(wide).div(row.sum(square), count)
        divided = row.divided_by(b.of(wide).apply("sqrt", b.of(wide).add(variance, eps)))

        def normal(values: Sequence[SSAValue]) -> list[SSAValue]:
            return divided([less(x) for x in values])

        def scaled(unit: SSAValue, gamma: SSAValue, beta: SSAValue) -> SSAValue:
            return b.of(wide).add(b.of(wide).mul(unit, gamma), beta)

        return normal, scaled
