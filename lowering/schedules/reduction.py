"""Reductions on a CPU: the form that fits. Their association is in `reduction_form`."""

from __future__ import annotations

from collections.abc import Sequence

from hologram.lowering.schedules import TARGETS, Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction_form import Combiners, Element, Reduction
from hologram.lowering.schedules.row_reduction import RowReduction
from hologram.lowering.schedules.tile_reduction import TileReduction


def reduction(
    b: Builder,
    combiners: Combiners,
    lengths: Sequence[Index],
    element: Element,
    *,
    tile: int = 1,
    width: Index = 1,
    target: Target = TARGETS["cpu"],
    dear: bool = False,
    spread: bool = False,
    loose: bool = False,
) -> Reduction:
    """Emits the reduction of `element` over `lengths` (row-major), for each of `width` (at most `tile`) outputs.

    `dear` says that an element takes many operations, so that few vectors of them fill the processor; `spread` that
    nothing around the reduction is parallel, so that its chunks should be; `loose` that a maximum may miss NaN and take
    either zero, for whoever uses it finds the NaN itself.
    """
    if tile > 1:
        made: Reduction = TileReduction(b, combiners, lengths, element, tile, width, 1 if dear else target.rows)
    else:
        made = RowReduction(b, combiners, lengths, element, target, dear=dear, spread=spread)
    made.loose = loose
    made.emit()
    return made
