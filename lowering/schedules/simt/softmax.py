"""Softmax for devices: rows of the usual lengths are held in registers, all others walked over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, identity
from hologram.dialects.atlas.named import SoftmaxOp
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import NOT_ABOVE_ZERO, Builder, Index
from hologram.lowering.schedules.lanes import combine, halved
from hologram.lowering.schedules.nest import axis_last
from hologram.lowering.schedules.simt.held_rows import HeldRow, HeldRowParameters, held_rows
from hologram.lowering.schedules.simt.rows import Row, Rows, WalkedRow, dtype_of_element


@dataclass(frozen=True)
class SoftmaxParameters(HeldRowParameters):
    """With no other operands, a thread does with fewer registers."""

    resident: int = 6


def schedule_softmax(b: Builder, op: SoftmaxOp, target: Target, parameters: SoftmaxParameters) -> None:
    """m = max(x), e = exp(x - m), e / sum(e)."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    rows = Rows(b, target, parameters, nest, len(nest.extents) - 1, dtype_of_element(op.ins[0]))
    held_rows(rows, parameters, _held, lambda: rows.emit(_walked))


def _powers(row: Row, greatest: SSAValue) -> Callable[[SSAValue], SSAValue]:
    """What makes e of an element."""
    b, wide = row.b, row.wide

    def power(x: SSAValue) -> SSAValue:
        made = scalar.ExpOp(wide, b.op(scalar.SubOp(wide, x, greatest)))
        made.attributes[NOT_ABOVE_ZERO] = UnitAttr()
        return b.op(made)

    return power


def _held(row: HeldRow) -> None:
    row.read()
    row.replace(_powers(row, row.greatest()))
    row.share()
    row.write([], row.divided_by(row.sum(_itself)), _itself)


def _itself(x: SSAValue) -> SSAValue:
    return x


def _walked(row: WalkedRow) -> None:
    b, at, wide = row.b, row.at, row.wide
    lowest = b.constant(identity(Kind.max_nan, wide), wide)

    def look(place: Index, lanes: int, found: list[SSAValue], values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        row.keep(found, place)
        # Neighbours before the others, so that few wait for one another.
        mine = halved(b, Kind.max_nan, wide, found, loose=True)
        return [combine(b, Kind.max_nan, wide, values[0], mine, loose=True)]

    (mine,) = row.fold([lowest], look, lambda place, lanes: row.load(0, place, lanes))
    power = _powers(row, row.greatest(mine))
    if row.array is not None:
        row.each(lambda place, lanes, found: row.keep([power(x) for x in found], place), row.kept)
        at.barrier()

    def element(x: SSAValue) -> SSAValue:
        return x if row.array is not None else power(x)

    total = row.sum(element)

    def quotients(found: list[SSAValue]) -> list[SSAValue]:
        return [b.op(scalar.DivOp(wide, element(x), total)) for x in found]

    row.write([], quotients)
