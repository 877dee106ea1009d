"""The CPU schedule of `atlas.scan`: rows in parallel, each from its first element to its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.dialects.atlas.arrays.search import ScanOp
from hologram.dialects.atlas.instructions.types import working_type
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import OutputTile, axis_last, for_each_tile, tile_across
from hologram.lowering.schedules.common.reduction_form import combine
from hologram.lowering.schedules.common.target import Target


@dataclass(frozen=True)
class ScanParameters:
    """`tile`: the neighbouring rows that are scanned at once where the axis is not the innermost."""

    tile: int = 128


def schedule_scan(b: Builder, op: ScanOp, target: Target, parameters: ScanParameters) -> None:
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

    for_each_tile(b, nest.extents[:-1], tile_across(nest, parameters.tile), rows)
