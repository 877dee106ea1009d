"""The CPU schedule of `atlas.gather`: for each index a check and a copy of its slice.

The CPU schedule of `atlas.scatter`: a copy, then for each index in order a check and its slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.arrays.general import shape_of
from hologram.dialects.atlas.arrays.named import GatherOp
from hologram.dialects.atlas.arrays.search import ScatterOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.lowering.rewriting.kernel_builder import INDEX, Builder, Index, is_dense
from hologram.lowering.schedules.common.target import Target


@dataclass(frozen=True)
class GatherParameters:
    """None yet."""


def schedule_gather(b: Builder, op: GatherOp, target: Target, parameters: GatherParameters) -> None:
    """For each index a copy of its slice."""
    axis, index_rank = op.axis.value.data, len(shape_of(op.ins[1].type))
    source, indices, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    after = len(shape_of(op.ins[0].type)) - axis - 1
    if after > 1 and is_dense(source) and is_dense(out):
        source, out, after = merge_last(b, source, after), merge_last(b, out, after), 1
    sizes, out_sizes = b.sizes(source), b.sizes(out)
    with b.parallel(sizes[:axis], name="i") as before, b.loops(b.sizes(indices), name="n") as place:
        index = b.load(indices, place)
        lane = b.index(linear(b, [*before, *place], out_sizes[: axis + index_rank]))
        row = checked_row(b, op, index, sizes[axis], lane)
        with b.loops(sizes[axis + 1 :], name="j") as rest:
            b.store(b.load(source, [*before, row, *rest]), out, [*before, *place, *rest])


def checked_row(b: Builder, op: Operation, index: SSAValue, size: Index, lane: SSAValue) -> SSAValue:
    """A signed index that is checked; one compare as unsigned covers both ends of the range."""
    row = b.op(arith.IndexCastOp(index, INDEX))
    inside = b.compare("ult", row, size)
    b.rw.emit(AssertOp(inside, f"{op.name}: index out of range", lane, [index, b.index(size)]))
    return row


def merge_last(b: Builder, value: SSAValue, count: int) -> SSAValue:
    """The last axes of a dense memref as one."""
    rank = len(b.sizes(value))
    return b.collapse(value, [*([axis] for axis in range(rank - count)), list(range(rank - count, rank))])


def linear(b: Builder, indices: Sequence[Index], sizes: Sequence[Index]) -> Index:
    """The row-major number of a slice."""
    total: Index = 0
    for index, size in zip(indices, sizes, strict=True):
        total = b.add(b.mul(total, size), index)
    return total


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
