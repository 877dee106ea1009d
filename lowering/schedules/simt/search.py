"""The schedule of `atlas.argmin` and `atlas.argmax` for devices: a block a row, whose threads' finds meet in pairs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, element_type, identity
from hologram.dialects.atlas.arrays.search import ArgOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import axis_last
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu import search as nest_search
from hologram.lowering.schedules.cpu.search import ArgParameters
from hologram.lowering.schedules.simt.launches import launch


def schedule_arg(b: Builder, op: ArgOp, target: Target, parameters: ArgParameters) -> None:
    """NaN is neither better than anything nor equal to it, so a row of NaN alone has no place, which counts as 0."""
    dtype, place = op.type.dtype, DTYPES["i64"]
    if dtype.bits > 64:
        return nest_search.schedule_arg(b, op, target, parameters)
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    (x, y), (*outer, length) = nest.accesses, nest.extents
    better = "gt" if op.KIND in (Kind.max, Kind.max_nan) else "lt"
    rows, threads = b.product(outer), target.threads
    if op.may_trap:
        b.check(b.compare("ne", length, 0), f"{op.name}: no elements along the axis")

    def best(a: Sequence[SSAValue], other: Sequence[SSAValue]) -> list[SSAValue]:
        (u, i), (v, j) = a, other
        wins = b.of(dtype).compare(better, v, u)
        equal = b.both(b.of(dtype).compare("eq", v, u), b.of(place).compare("lt", j, i))
        chosen = b.core.either(wins, equal)
        return [b.core.select(chosen, v, u), b.core.select(chosen, j, i)]

    with launch(b, target, rows, threads) as at:
        values, places = at.shared(dtype.ir, threads), at.shared(i64, threads)
        with at.shares(rows, name="row") as row:
            dims = b.split(row, outer)
            steps = b.div(b.add(b.sub(b.max(length, at.thread), at.thread), threads - 1), threads)

            def step(number: Index, found: Sequence[SSAValue]) -> list[SSAValue]:
                i = b.add(at.thread, b.mul(number, threads))
                return best(found, [x.load(b, [*dims, i]), b.index_as(i, i64)])

            nothing = [b.constant(identity(op.KIND, dtype), dtype), b.constant(place.greatest, place)]
            found = b.carried(0, steps, nothing, step, name="step")

            def keep(found: Sequence[SSAValue]) -> None:
                b.store_all(found, [values, places], [at.thread])

            keep(found)

            def join(mine: Index, other: Index) -> None:
                keep(best(*(b.load_all([values, places], [place]) for place in (mine, other))))

            at.halve(threads, join, wait=False)
            with at.only(1):
                number = b.load(places, [0])
                none = b.of(place).compare("eq", number, place.greatest)
                index = b.to_index(b.core.select(none, b.constant(0, place), number))
                y.store(b, b.index_as(index, element_type(op.outs[0].type)), [*dims, 0])
            at.barrier()
