"""The CPU schedule of `atlas.argmin` and `atlas.argmax`: the least or greatest of a row, then where it first stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, element_type
from hologram.dialects.atlas.arrays.search import ArgOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import axis_last
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.common.tiles import for_each_tile
from hologram.lowering.schedules.cpu.reduction import reduction


@dataclass(frozen=True)
class ArgParameters:
    """`tile`: the neighbouring rows that are searched at once where the axis is not the innermost."""

    tile: int = 128


def schedule_arg(b: Builder, op: ArgOp, target: Target, parameters: ArgParameters) -> None:
    """Rows in parallel. NaN equals nothing, so a row of NaN alone has no place, which counts as 0."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    x, y = nest.accesses
    dtype, place = op.type.dtype, DTYPES["i64"]
    stored = element_type(op.outs[0].type)
    last = len(nest.extents) - 1
    tile = parameters.tile if last > 0 and x.innermost == last - 1 else 1
    length = nest.extents[-1]
    if op.may_trap:
        b.check(b.compare("ne", length, 0), f"{op.name}: no elements along the axis")

    def rows(dims: Sequence[Index], width: Index, tile: int) -> None:
        def at(i: Index, t: Index) -> list[Index]:
            return [*dims[:-1], b.add(dims[-1], t), i] if tile > 1 else [*dims, i]

        def values(r: Sequence[Index], t: Index) -> list[SSAValue]:
            return [x.load(b, at(r[0], t))]

        best = reduction(b, [(op.KIND, dtype)], [length], values, tile=tile, width=width, target=target).results()

        def places(r: Sequence[Index], t: Index) -> list[SSAValue]:
            found = b.of(dtype).compare("eq", x.load(b, at(r[0], t)), best(t))
            number = b.index_as(r[0], i64)
            return [b.core.select(found, number, b.constant(place.greatest, place))]

        first = reduction(b, [(Kind.min, place)], [length], places, tile=tile, width=width, target=target).results()
        with b.loop(0, width, name="t") as t:
            number = first(t)
            none = b.of(place).compare("eq", number, place.greatest)
            index = b.to_index(b.core.select(none, b.constant(0, place), number))
            y.store(b, b.index_as(index, stored), at(0, t))

    for_each_tile(b, nest.extents[:-1], tile, rows)
