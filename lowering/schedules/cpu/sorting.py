"""The CPU schedule of `atlas.sort` and `atlas.argsort`: a merge sort from runs of one element on.

Blocks of a row that caches hold are sorted each by itself, in parallel; then runs of blocks are merged in pairs, in
parallel too, so that the threads share a single row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.sorting import SortingOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.sorting import SortedRows, Sorting
from hologram.lowering.schedules.common.target import Target


@dataclass(frozen=True)
class SortingParameters:
    """`block`: the elements that one thread sorts by itself, or the next power of two."""

    block: int = 4096


def schedule_sorting(b: Builder, op: SortingOp, target: Target, parameters: SortingParameters) -> None:
    """Blocks, runs of blocks, and the result."""
    # Unrolled by LLVM, merges are much code.
    b.as_they_are = True
    sorting = SortedRows(b, op)
    rows, length = sorting.rows, sorting.length
    size = 1 << (parameters.block - 1).bit_length()
    limit = b.min(length, size)
    with b.parallel([rows, b.ceildiv(length, size)], name="block") as (row, block):
        _sort_block(sorting, row, b.mul(block, size), size, limit)

    def pairs(width: Index, half: Index) -> None:
        with b.parallel([rows, b.ceildiv(length, b.mul(width, 2))], name="pair") as (row, pair):
            _merge(sorting, row, b.mul(b.mul(pair, width), 2), length, width, half)

    first = _passes(sorting, [b.index(1), b.index(0)], limit, lambda width, half: None)
    _, half = _passes(sorting, first, length, pairs)
    with b.parallel([rows], name="row") as (row,), b.loop(0, length, name="i") as i:
        sorting.give(row, i, half)
    sorting.free()


def _passes(
    sorting: Sorting, start: Sequence[SSAValue], limit: Index, body: Callable[[Index, Index], None]
) -> list[SSAValue]:
    """Merges runs until they are as long as the limit: after each pass runs are twice as long, and stand in the other
    half of the memory. Gives how long they are, and that half."""
    b = sorting.b

    def step(values: Sequence[SSAValue]) -> list[SSAValue]:
        width, half = values
        body(width, half)
        return [b.index(b.mul(width, 2)), b.index(b.sub(sorting.length, half))]

    return b.carried_while(start, lambda values: b.compare("ult", values[0], limit), step)


def _sort_block(sorting: Sorting, row: Index, first: Index, size: int, limit: Index) -> None:
    """Sorts the elements from the first one on, up to so many, or to `limit` if a row has no more."""
    b = sorting.b
    last = b.min(b.add(first, size), sorting.length)
    with b.loop(first, last, name="i") as i:
        sorting.store(sorting.given(row, i), sorting.at(row, 0, i))

    def pairs(width: Index, half: Index) -> None:
        with b.loop(first, last, b.mul(width, 2), name="pair") as start:
            _merge(sorting, row, start, last, width, half)

    _passes(sorting, [b.index(1), b.index(0)], limit, pairs)


def _merge(sorting: Sorting, row: Index, first: Index, end: Index, width: Index, half: Index) -> None:
    """Merges two runs of a width, which may be cut off at an end, into the other half of the memory."""
    b = sorting.b
    middle = b.min(b.add(first, width), end)
    last = b.min(b.add(middle, width), end)
    source, target = (sorting.at(row, h, 0) for h in (half, b.sub(sorting.length, half)))

    def step(place: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
        i, j = values
        left, right = b.min(i, b.sub(middle, 1)), b.min(j, b.sub(last, 1))
        # The left run wins where elements are equal.
        is_less = sorting.comes_before(*(sorting.key(b.add(source, at)) for at in (right, left)))
        takes_right = b.both(b.compare("ult", j, last), b.either(b.compare("uge", i, middle), is_less))
        chosen = b.select(takes_right, right, left)
        sorting.store(sorting.load(b.add(source, chosen)), b.add(target, place))
        return [b.index(b.select(takes_right, i, b.add(i, 1))), b.index(b.select(takes_right, b.add(j, 1), j))]

    b.carried(first, last, [b.index(first), b.index(middle)], step, name="place")
