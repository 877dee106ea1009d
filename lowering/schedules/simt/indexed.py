"""The schedules of `atlas.gather` and `atlas.scatter` for devices: a thread an element.

Of equal indices the last one must win. So a scatter first finds the last index of each row, by an atomic maximum of
their numbers, and then stores the elements of those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import shape_of
from hologram.dialects.atlas.arrays.named import GatherOp
from hologram.dialects.atlas.arrays.search import ScatterOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.lowering.rewriting.kernel_builder import INDEX, Builder, Index, is_dense
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.indexed import GatherParameters, ScatterParameters, checked_row, linear, merge_last
from hologram.lowering.schedules.simt.launches import launch

MAXU = IntegerAttr(7, i64)
"""The kind `maxu` of an atomic step."""


def each_element(b: Builder, target: Target, sizes: Sequence[Index], body: Callable[[list[Index]], None]) -> None:
    """A launch with a thread for each index below the sizes."""
    count, threads = b.product(sizes), target.threads
    tiles = b.ceildiv(count, threads)
    with launch(b, target, tiles, threads) as at, at.shares(tiles, name="tile") as tile:
        place = b.add(b.mul(tile, threads), at.thread)
        with b.when(b.compare("ult", place, count)):
            body(b.split(place, sizes))


def schedule_gather(b: Builder, op: GatherOp, target: Target, parameters: GatherParameters) -> None:
    """Each thread checks the index of its element."""
    axis, index_rank = op.axis.value.data, len(shape_of(op.ins[1].type))
    source, indices, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    after = len(shape_of(op.ins[0].type)) - axis - 1
    if after > 1 and is_dense(source) and is_dense(out):
        source, out = merge_last(b, source, after), merge_last(b, out, after)
    size, out_sizes = b.size(source, axis), b.sizes(out)

    def element(at: list[Index]) -> None:
        before, place, rest = at[:axis], at[axis : axis + index_rank], at[axis + index_rank :]
        lane = b.index(linear(b, [*before, *place], out_sizes[: axis + index_rank]))
        row = checked_row(b, op, b.load(indices, place), size, lane)
        b.store(b.load(source, [*before, row, *rest]), out, at)

    each_element(b, target, out_sizes, element)


def schedule_scatter(b: Builder, op: ScatterOp, target: Target, parameters: ScatterParameters) -> None:
    """A copy, the last index of each row, and its elements: a launch each."""
    axis, index_rank = op.axis.value.data, len(shape_of(op.ins[1].type))
    source, indices, update, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    in_place = source is out
    after = len(shape_of(op.outs[0].type)) - axis - 1
    if after > 1 and all(map(is_dense, (source, update, out))):
        source, update, out = (merge_last(b, v, after) for v in (source, update, out))
    size, update_sizes, index_sizes = b.size(out, axis), b.sizes(update), b.sizes(indices)
    if not in_place:
        each_element(b, target, b.sizes(out), lambda at: b.store(b.load(source, at), out, at))
    count = b.index(b.product(index_sizes))
    few = b.compare("ult", count, 2**32 - 1)
    b.rw.emit(AssertOp(few, f"{op.name}: too many indices for a device", None, [count]))
    last = b.alloc(i32, [size])
    zero = lambda: b.op(arith.ConstantOp(IntegerAttr(0, i32)))  # noqa: E731
    each_element(b, target, [size], lambda at: b.store(zero(), last, at))

    def number(place: Sequence[Index]) -> SSAValue:
        """That of an index, from 1 on."""
        return b.op(arith.IndexCastOp(b.index(b.add(linear(b, place, index_sizes), 1)), i32))

    def mark(place: list[Index]) -> None:
        lane = b.index(linear(b, place, index_sizes))
        row = checked_row(b, op, b.load(indices, place), size, lane)
        step = {"kind": MAXU}
        operands = [number(place), last, row]
        b.rw.emit(memref.AtomicRMWOp.create(operands=operands, result_types=[i32], properties=step))

    def element(at: list[Index]) -> None:
        before, place, rest = at[:axis], at[axis : axis + index_rank], at[axis + index_rank :]
        row = b.op(arith.IndexCastOp(b.load(indices, place), INDEX))
        # The launch before has trapped where an index lies outside; here nothing may be touched for it.
        with b.when(b.compare("ult", row, size)):
            wins = b.core.compare("eq", b.load(last, [row]), number(place))
            with b.when(wins):
                b.store(b.load(update, at), out, [*before, row, *rest])

    each_element(b, target, index_sizes, mark)
    each_element(b, target, update_sizes, element)
    b.free(last)
