"""The CPU schedule of `atlas.scatter`: a copy, then for each index in order a check and its slice."""

from __future__ import annotations

from dataclasses import dataclass

from hologram.dialects.atlas.arrays import shape_of
from hologram.dialects.atlas.search import ScatterOp
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, is_dense
from hologram.lowering.schedules.gather import checked_row, linear, merge_last


@dataclass(frozen=True)
class ScatterParameters:
    """None yet."""


def schedule_scatter(b: Builder, op: ScatterOp, target: Target, parameters: ScatterParameters) -> None:
    """Only what stands before the axis runs in parallel: of equal indices the last one must win."""
    axis, index_rank = op.axis.value.data, len(shape_of(op.ins[1].type))
    source, indices, update, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    in_place = source is out
    after = len(shape_of(op.outs[0].type)) - axis - 1
    if after > 1 and all(map(is_dense, (source, update, out))):
        source, update, out = (merge_last(b, v, after) for v in (source, update, out))
    sizes, update_sizes = b.sizes(out), b.sizes(update)
    if not in_place:
        with b.parallel(sizes[:-1], name="i") as row, b.loop(0, sizes[-1], name="j", vector=True) as j:
            b.store(b.load(source, [*row, j]), out, [*row, j])
    with b.parallel(sizes[:axis], name="i") as before, b.loops(b.sizes(indices), name="n") as place:
        index = b.load(indices, place)
        lane = b.index(linear(b, [*before, *place], update_sizes[: axis + index_rank]))
        row = checked_row(b, op, index, sizes[axis], lane)
        with b.loops(sizes[axis + 1 :], name="j") as rest:
            b.store(b.load(update, [*before, *place, *rest]), out, [*before, row, *rest])
