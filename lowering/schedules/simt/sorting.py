"""The schedules of `atlas.sort`, `atlas.argsort` and `atlas.scatter_reduce` for devices: merge sorts, a launch a pass.

First each thread finds the place of an element in a short tile, by comparisons with all of it. Then runs are merged in
pairs: each thread finds, by binary search, where its element stands in the other run of its pair, and thereby in both.

A scatter that reduces sorts the indices, with their places. Then a thread combines the elements of equal indices, which
are neighbours in their order, so that sums of floats have the same bits in every run.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.search import ScatterReduceOp
from hologram.dialects.atlas.arrays.sorting import SortingOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.lowering.schedules.common.reduction_form import combine
from hologram.lowering.schedules.common.sorting import SortedRows, Sorting, bisect
from hologram.lowering.schedules.common.target import NoParameters, Target
from hologram.lowering.schedules.cpu.indexed import Slices
from hologram.lowering.schedules.simt.indexed import each_element

TILE = 16
"""The elements of a tile: their comparisons with one another cost less than a launch for each width below."""


def schedule_sorting(b: Builder, op: SortingOp, target: Target, parameters: NoParameters) -> None:
    """The sort, and a launch that copies the result."""
    sorting = SortedRows(b, op)
    half = _sort(sorting, target)
    each_element(b, target, [sorting.rows, sorting.length], lambda at: sorting.give(at[0], at[1], half))
    sorting.free()


def _sort(sorting: Sorting, target: Target) -> SSAValue:
    """A launch for the tiles and one for each doubling of the runs; gives the half of the memory that is sorted."""
    b, sizes = sorting.b, [sorting.rows, sorting.length]
    each_element(b, target, sizes, lambda at: _place_in_tile(sorting, at[0], at[1]))

    def merge(values: Sequence[SSAValue]) -> list[SSAValue]:
        width, half = values
        each_element(b, target, sizes, lambda at: _merge(sorting, at, width, half))
        return [b.index(b.mul(width, 2)), b.index(b.sub(sorting.length, half))]

    start = [b.index(TILE), b.index(0)]
    return b.carried_while(start, lambda values: b.compare("ult", values[0], sorting.length), merge)[1]


def _place_in_tile(sorting: Sorting, row: Index, place: Index) -> None:
    """Stores an element behind those of its tile that come before it."""
    b = sorting.b
    first = b.mul(b.div(place, TILE), TILE)
    last = b.min(b.add(first, TILE), sorting.length)
    mine = sorting.given(row, place)

    def equal_before(other: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
        comes_after = sorting.comes_before(mine[0], sorting.value(row, other))
        return [b.index(b.add(values[0], b.select(comes_after, 0, 1)))]

    def less_behind(other: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
        comes_before = sorting.comes_before(sorting.value(row, other), mine[0])
        return [b.index(b.add(values[0], b.select(comes_before, 1, 0)))]

    rank = b.carried(first, place, [b.index(first)], equal_before, name="i")
    rank = b.carried(b.add(place, 1), last, rank, less_behind, name="i")
    sorting.store(mine, sorting.at(row, 0, rank[0]))


def _merge(sorting: Sorting, at: Sequence[Index], width: Index, half: Index) -> None:
    """Stores the element of a row at a place, in a run of a width, where it stands in both runs of its pair."""
    b, (row, place) = sorting.b, at
    run = b.div(place, width)
    is_right = b.compare("ne", b.rem(run, 2), 0)
    own = b.mul(run, width)
    first = b.select(is_right, b.sub(own, width), own)
    other = b.min(b.select(is_right, first, b.add(own, width)), sorting.length)
    end = b.min(b.add(other, width), sorting.length)
    source = sorting.at(row, half, 0)
    mine = sorting.load(b.add(source, place))

    def is_behind(middle: Index) -> SSAValue:
        """An equal element of the left run stands before one of the right run."""
        theirs = sorting.key(b.add(source, middle))
        is_less = sorting.comes_before(theirs, mine[0])
        is_not_greater = b.core.complement(sorting.comes_before(mine[0], theirs))
        return b.core.select(is_right, is_not_greater, is_less)

    found = bisect(b, other, end, is_behind)
    # As many elements come before as stand before it in its run, and in the other one.
    rank = b.add(b.sub(place, own), b.sub(found, other))
    sorting.store(mine, sorting.at(row, b.sub(sorting.length, half), b.add(first, rank)))


def schedule_scatter_reduce(b: Builder, op: ScatterReduceOp, target: Target, parameters: NoParameters) -> None:
    """A copy, the sorted indices, which are checked first, and the runs of equal ones."""
    slices = Slices(b, op)
    source, update, out = slices.arrays
    size, index_sizes, dtype = b.size(out, slices.axis), b.sizes(slices.indices), dtype_in(slices.indices)
    if not slices.in_place:
        each_element(b, target, b.sizes(out), lambda at: b.store(b.load(source, at), out, at))
    each_element(b, target, index_sizes, lambda at: slices.checked_row(at, size, at, index_sizes) and None)
    count = b.product(index_sizes)
    sorting = Sorting(
        b, dtype, 1, count, lambda row, place: b.load(slices.indices, b.split(place, index_sizes)), index=i64
    )
    half = _sort(sorting, target)
    before, rest = b.sizes(out)[: slices.axis], b.sizes(out)[slices.axis + 1 :]

    def run(at: list[Index]) -> None:
        """The elements of a run, where a place begins one."""
        place, *others = at
        outside, inside = others[: len(before)], others[len(before) :]
        index = sorting.key(b.add(half, place))
        row = b.to_index(index)
        last = b.max(place, 1)
        is_first = b.core.either(
            b.compare("eq", place, 0),
            b.core.compare("ne", sorting.key(b.add(half, b.sub(last, 1))), index),
        )
        # A launch before has trapped where an index lies outside; here nothing may be touched for it.
        with b.when(b.both(is_first, b.compare("ult", row, size))):
            end = bisect(b, place, count, lambda middle: b.core.compare("eq", sorting.key(b.add(half, middle)), index))

            def step(number: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                source_place = b.to_index(sorting.load(b.add(half, number))[1])
                new = b.load(update, [*outside, *b.split(source_place, index_sizes), *inside])
                return [combine(b, op.kind.data, op.type.dtype, values[0], new)]

            target_place = [*outside, row, *inside]
            total = b.carried(place, end, [b.load(out, target_place)], step, name="i")
            b.store(total[0], out, target_place)

    each_element(b, target, [count, *before, *rest], run)
    sorting.free()
