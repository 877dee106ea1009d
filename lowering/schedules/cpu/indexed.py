"""The CPU schedules of gathers and scatters, and what those for devices share with them.

A gather checks each index and copies its slice. A scatter copies its source, and then for each index in order checks it
and copies its slice, or combines it with what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import shape_of
from hologram.dialects.atlas.arrays.named import GatherOp
from hologram.dialects.atlas.arrays.search import ScatteringOp, ScatterOp, ScatterReduceOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_dense
from hologram.lowering.schedules.common.reduction_form import combine
from hologram.lowering.schedules.common.target import NoParameters, Target


class Slices:
    """The operands of a gather or a scatter: slices that indices name along an axis, and those that they are copied to
    or from. Axes behind the indexed one are merged where they can be."""

    def __init__(self, b: Builder, op: GatherOp | ScatteringOp):
        self.b, self.op = b, op
        self.axis = op.axis.value.data
        self.indices = b.rw.value(op.ins[1])
        arrays = [b.rw.value(v) for v in (op.ins[0], *op.ins[2:], *op.outs)]
        self.in_place = arrays[0] is arrays[-1]
        rank = len(shape_of(op.ins[0].type))
        if rank - self.axis > 2 and all(map(is_dense, arrays)):
            arrays = [_merged(b, v, rank - self.axis - 1) for v in arrays]
        self.arrays = arrays
        """The source, for a scatter the update, and the out."""
        self.end = self.axis + len(shape_of(op.ins[1].type))
        """Where the axes of the indices end, in the array that has a slice for each index."""

    def split(self, at: Sequence[Index]) -> tuple[list[Index], list[Index], list[Index]]:
        """The indices of an element of that array, in front of those of the index, of it, and behind them."""
        return list(at[: self.axis]), list(at[self.axis : self.end]), list(at[self.end :])

    def row(self, place: Sequence[Index]) -> SSAValue:
        """The index at a place, not checked."""
        return self.b.to_index(self.b.load(self.indices, place))

    def checked_row(self, place: Sequence[Index], size: Index, at: Sequence[Index], sizes: Sequence[Index]) -> SSAValue:
        """The signed index at a place, which is checked: one compare as unsigned covers both ends of the range. What
        traps is the number of the slice `at` among `sizes`."""
        b, index = self.b, self.b.load(self.indices, place)
        lane = b.index(linear(b, at, sizes))
        row = b.to_index(index)
        b.check(b.compare("ult", row, size), f"{self.op.name}: index out of range", index, size, lane=lane)
        return row


def _merged(b: Builder, value: SSAValue, count: int) -> SSAValue:
    """The last axes of a dense memref as one."""
    rank = len(b.sizes(value))
    return b.collapse(value, [*([axis] for axis in range(rank - count)), list(range(rank - count, rank))])


def linear(b: Builder, indices: Sequence[Index], sizes: Sequence[Index]) -> Index:
    """The row-major number of a slice."""
    total: Index = 0
    for index, size in zip(indices, sizes, strict=True):
        total = b.add(b.mul(total, size), index)
    return total


def schedule_gather(b: Builder, op: GatherOp, target: Target, parameters: NoParameters) -> None:
    """Copy the slice of each index."""
    slices = Slices(b, op)
    source, out = slices.arrays
    sizes, out_sizes = b.sizes(source), b.sizes(out)
    axis = slices.axis
    with b.parallel(sizes[:axis], name="i") as before, b.loops(b.sizes(slices.indices), name="n") as place:
        row = slices.checked_row(place, sizes[axis], [*before, *place], out_sizes[: slices.end])
        with b.loops(sizes[axis + 1 :], name="j") as rest:
            b.store(b.load(source, [*before, row, *rest]), out, [*before, *place, *rest])


def schedule_scatter(b: Builder, op: ScatterOp, target: Target, parameters: NoParameters) -> None:
    """Only what stands before the axis runs in parallel: of equal indices the last one must win."""
    _one_by_one(b, op, lambda old, new: new)


def schedule_scatter_reduce(b: Builder, op: ScatterReduceOp, target: Target, parameters: NoParameters) -> None:
    """The same, for slices of equal indices are combined in their order."""
    _one_by_one(b, op, lambda old, new: combine(b, op.kind.data, op.type.dtype, old(), new))


def _one_by_one(b: Builder, op: ScatteringOp, joined: Callable[[Callable[[], SSAValue], SSAValue], SSAValue]) -> None:
    """Stores for each index in order what an element of its slice and the one that is there are joined to."""
    slices = Slices(b, op)
    source, update, out = slices.arrays
    sizes, update_sizes = b.sizes(out), b.sizes(update)
    if not slices.in_place:
        b.copy(source, out, sizes)
    axis = slices.axis
    with b.parallel(sizes[:axis], name="i") as before, b.loops(b.sizes(slices.indices), name="n") as place:
        row = slices.checked_row(place, sizes[axis], [*before, *place], update_sizes[: slices.end])
        with b.loops(sizes[axis + 1 :], name="j") as rest:
            at = [*before, row, *rest]
            new = b.load(update, [*before, *place, *rest])
            b.store(joined(lambda: b.load(out, at), new), out, at)
