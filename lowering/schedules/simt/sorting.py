"""The schedule of `atlas.sort` and `atlas.argsort` for devices: a merge sort with a launch a pass.

First each thread finds the place of an element in a short tile, by comparisons with all of it. Then runs are merged in
pairs: each thread finds, by binary search, where its element stands in the other run of its pair, and thereby in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.sorting import SortingOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.sorting import Sorting, bisect
from hologram.lowering.schedules.common.target import NoParameters, Target
from hologram.lowering.schedules.simt.indexed import each_element

TILE = 16
"""The elements of a tile: their comparisons with one another cost less than a launch for each width below."""


def schedule_sorting(b: Builder, op: SortingOp, target: Target, parameters: NoParameters) -> None:
    """The tiles, a launch for each doubling of the runs, and the result."""
    sorting = Sorting(b, op)
    sizes = [sorting.rows, sorting.length]
    each_element(b, target, sizes, lambda at: _place_in_tile(sorting, at[0], at[1]))

    def merge(values: Sequence[SSAValue]) -> list[SSAValue]:
        width, half = values
        each_element(b, target, sizes, lambda at: _merge(sorting, at, width, half))
        return [b.index(b.mul(width, 2)), b.index(b.sub(sorting.length, half))]

    start = [b.index(TILE), b.index(0)]
    _, half = b.carried_while(start, lambda values: b.compare("ult", values[0], sorting.length), merge)
    each_element(b, target, sizes, lambda at: sorting.give(at[0], at[1], half))
    sorting.free()


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
