"""The schedules of `atlas.gather` and `atlas.scatter` for devices: a thread an element.

Of equal indices the last one must win. So a scatter first finds the last index of each row, by an atomic maximum of
their numbers, and then stores the elements of those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.named import GatherOp
from hologram.dialects.atlas.arrays.search import ScatterOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.target import NoParameters, Target
from hologram.lowering.schedules.cpu.indexed import Slices, linear
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


def schedule_gather(b: Builder, op: GatherOp, target: Target, parameters: NoParameters) -> None:
    """Each thread checks the index of its element."""
    slices = Slices(b, op)
    source, out = slices.arrays
    size, out_sizes = b.size(source, slices.axis), b.sizes(out)

    def element(at: list[Index]) -> None:
        before, place, rest = slices.split(at)
        row = slices.checked_row(place, size, at[: slices.end], out_sizes[: slices.end])
        b.store(b.load(source, [*before, row, *rest]), out, at)

    each_element(b, target, out_sizes, element)


def schedule_scatter(b: Builder, op: ScatterOp, target: Target, parameters: NoParameters) -> None:
    """A copy, the last index of each row, and its elements: a launch each."""
    slices = Slices(b, op)
    source, update, out = slices.arrays
    size, update_sizes, index_sizes = b.size(out, slices.axis), b.sizes(update), b.sizes(slices.indices)
    if not slices.in_place:
        each_element(b, target, b.sizes(out), lambda at: b.store(b.load(source, at), out, at))
    count = b.index(b.product(index_sizes))
    b.check(b.compare("ult", count, 2**32 - 1), f"{op.name}: too many indices for a device", count)
    last = b.alloc(i32, [size])
    each_element(b, target, [size], lambda at: b.store(b.core.constant(0, i32), last, at))

    def number(place: Sequence[Index]) -> SSAValue:
        """The number of an index, from 1 on."""
        return b.index_as(b.add(linear(b, place, index_sizes), 1), i32)

    def mark(place: list[Index]) -> None:
        row = slices.checked_row(place, size, place, index_sizes)
        operands = [number(place), last, row]
        b.rw.emit(memref.AtomicRMWOp.create(operands=operands, result_types=[i32], properties={"kind": MAXU}))

    def element(at: list[Index]) -> None:
        before, place, rest = slices.split(at)
        row = slices.row(place)
        # The launch before has trapped where an index lies outside; here nothing may be touched for it.
        with b.when(b.compare("ult", row, size)):
            wins = b.core.compare("eq", b.load(last, [row]), number(place))
            with b.when(wins):
                b.store(b.load(update, at), out, [*before, row, *rest])

    each_element(b, target, index_sizes, mark)
    each_element(b, target, update_sizes, element)
    b.free(last)
