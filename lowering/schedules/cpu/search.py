"""The CPU schedules of `atlas.argmin`, `atlas.argmax` and `atlas.scan`, which walk along one axis, and of
`atlas.searchsorted`.

A search finds the least or greatest of a row, then where it first stands. A scan goes over the rows in parallel, each
from its first element to its last. Elements that are searched for among sorted ones are so in parallel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, element_type, identity
from hologram.dialects.atlas.arrays.search import ArgOp, ScanOp
from hologram.dialects.atlas.arrays.sorting import SearchsortedOp
from hologram.dialects.atlas.instructions.types import DTYPES, working_type
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import OutputTile, axis_last, for_each_tile, tile_across, tile_of
from hologram.lowering.schedules.common.reduction_form import combine
from hologram.lowering.schedules.common.sorting import bisect, comes_before
from hologram.lowering.schedules.common.target import NoParameters, Target
from hologram.lowering.schedules.cpu.reduction import reduction


@dataclass(frozen=True)
class SearchParameters:
    """`tile`: the neighbouring rows that are searched or scanned at once where the axis is not the innermost."""

    tile: int = 128


def schedule_arg(b: Builder, op: ArgOp, target: Target, parameters: SearchParameters) -> None:
    """Rows in parallel. NaN equals nothing, so a row of NaN alone has no place, which counts as 0; where NaN wins, all
    of them are best."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    x, y = nest.accesses
    dtype, place = op.type.dtype, DTYPES["i64"]
    stored = element_type(op.outs[0].type)
    length = nest.extents[-1]
    if op.may_trap:
        b.check(b.compare("ne", length, 0), f"{op.name}: no elements along the axis")

    def rows(tile: OutputTile) -> None:
        def values(r: Sequence[Index], t: Index) -> list[SSAValue]:
            return [x.load(b, tile.at(t, *r))]

        best = reduction(b, [(op.kind, dtype)], [length], values, tile, target=target).results()

        def places(r: Sequence[Index], t: Index) -> list[SSAValue]:
            value = x.load(b, tile.at(t, *r))
            is_best = b.of(dtype).compare("eq", value, best(t))
            if op.nan_wins:
                is_best = b.core.either(is_best, b.of(dtype).compare("ne", value, value))
            number = b.index_as(r[0], i64)
            return [b.core.select(is_best, number, b.constant(place.greatest, place))]

        first = reduction(b, [(Kind.min, place)], [length], places, tile, target=target).results()
        with b.loop(0, tile.width, name="t") as t:
            number = first(t)
            none = b.of(place).compare("eq", number, place.greatest)
            index = b.to_index(b.core.select(none, b.constant(0, place), number))
            y.store(b, b.index_as(index, stored), tile.at(t, 0))

    for_each_tile(b, nest.extents[:-1], tile_across(nest, tile_of(parameters.tile, dtype.bits)), rows)


def schedule_scan(b: Builder, op: ScanOp, target: Target, parameters: SearchParameters) -> None:
    """One order of combining for any number of threads; neighbouring rows run on vectors."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    x, y = nest.accesses
    kind, dtype = op.combiner
    wide = working_type(kind.value, dtype)
    is_widened = wide is not dtype

    def next(at: Sequence[Index], i: Index, before: SSAValue) -> SSAValue:
        """Stores an element; what the elements up to it combine to."""
        value = x.load(b, at)
        total = combine(b, kind, wide, before, b.cvt(dtype, wide, value) if is_widened else value)
        stored = before if op.is_exclusive else total
        if op.is_exclusive and kind is Kind.add and dtype.is_float:
            stored = b.core.select(b.compare("eq", i, 0), b.constant(0.0, wide), stored)
        y.store(b, b.cvt(wide, dtype, stored) if is_widened else stored, at)
        return total

    start = identity(kind, wide)

    def rows(tile: OutputTile) -> None:
        if tile.size == 1:
            first = [b.constant(start, wide)]
            b.carried(0, nest.extents[-1], first, lambda i, values: [next(tile.at(0, i), i, values[0])], name="i")
            return
        totals = b.alloca(wide.ir, tile.size)
        with b.loop(0, tile.width, name="t", vector=True) as t:
            b.store(b.constant(start, wide), totals, [t])
        with b.loop(0, nest.extents[-1], name="i") as i, b.loop(0, tile.width, name="t", vector=True) as t:
            b.store(next(tile.at(t, i), i, b.load(totals, [t])), totals, [t])

    for_each_tile(b, nest.extents[:-1], tile_across(nest, tile_of(parameters.tile, wide.bits)), rows)


def schedule_searchsorted(b: Builder, op: SearchsortedOp, target: Target, parameters: NoParameters) -> None:
    """A binary search for each element."""
    elements, wanted, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    dtype, stored = op.type.dtype, element_type(op.outs[0].type)
    with b.parallel(b.sizes(wanted), name="i") as at:
        value = b.load(wanted, at)

        def is_behind(middle: Index) -> SSAValue:
            other = b.load(elements, [middle])
            if op.is_right:
                return b.core.complement(comes_before(b, dtype, value, other))
            return comes_before(b, dtype, other, value)

        place = bisect(b, 0, b.size(elements, 0), is_behind)
        b.store(b.index_as(place, stored), out, at)
