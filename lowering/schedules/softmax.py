"""The CPU schedule of `atlas.softmax`: three passes over each row, m = max(x), sum of e = exp(x - m), e / sum.

f16 and bf16 are computed in f32, which the out can't hold, so there e is computed twice rather than rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, element_type
from hologram.dialects.atlas.named import SoftmaxOp
from hologram.dialects.atlas.types import DTYPES, DType, dtype_of
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.nest import axis_last
from hologram.lowering.schedules.reduction import reduction
from hologram.lowering.schedules.tiles import for_each_tile


@dataclass(frozen=True)
class SoftmaxParameters:
    """`tile`: the neighbouring rows that are computed at once where the axis is not the innermost."""

    tile: int = 128


def schedule_softmax(b: Builder, op: SoftmaxOp, target: Target, parameters: SoftmaxParameters) -> None:
    """Rows in parallel; each is read in the order of memory."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    x, y = nest.accesses
    last = len(nest.extents) - 1
    tile = parameters.tile if last > 0 and x.innermost == last - 1 else 1
    dtype = dtype_of(element_type(op.ins[0].type))
    assert dtype is not None
    wide = DTYPES["f32"] if dtype.bits < 32 else dtype

    def rows(dims: Sequence[Index], width: Index, tile: int) -> None:
        def at(i: Index, t: Index) -> list[Index]:
            return [*dims[:-1], b.add(dims[-1], t), i] if tile > 1 else [*dims, i]

        def value(i: Index, t: Index) -> SSAValue:
            return _cvt(b, dtype, wide, x.load(b, at(i, t)))

        def values(r: Sequence[Index], t: Index) -> list[SSAValue]:
            return [value(r[0], t)]

        length = nest.extents[-1:]
        # A NaN that this misses makes the sum NaN, and x less either zero is a zero, whose power is 1.
        row_max = reduction(
            b, [(Kind.max_nan, wide)], length, values, tile=tile, width=width, target=target, loose=True
        ).results()

        def power(i: Index, t: Index) -> SSAValue:
            return b.op(scalar.ExpOp(wide, b.op(scalar.SubOp(wide, value(i, t), row_max(t)))))

        def power_kept(r: Sequence[Index], t: Index) -> list[SSAValue]:
            e = power(r[0], t)
            if wide is dtype:
                y.store(b, e, at(r[0], t))
            return [e]

        row_sum = reduction(
            b, [(Kind.add, wide)], length, power_kept, tile=tile, width=width, target=target, dear=True
        ).results()
        with b.loop(0, nest.extents[-1], name="j", vector=tile == 1) as i, b.loop(0, width, name="t", vector=True) as t:
            e = y.load(b, at(i, t)) if wide is dtype else power(i, t)
            y.store(b, _cvt(b, wide, dtype, b.op(scalar.DivOp(wide, e, row_sum(t)))), at(i, t))

    for_each_tile(b, nest.extents[:-1], tile, rows)


def _cvt(b: Builder, source: DType, target: DType, value: SSAValue) -> SSAValue:
    return value if source is target else b.op(scalar.CvtOp(source, target, value))
