"""Maps that walk an operand across the out, where threads are lanes of a processor: each turns a square in registers.

Neighbours among the threads write neighbours: that is faster than if they read neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays import element_type
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index, is_memref
from hologram.lowering.schedules.nest import Nest
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import aligned, bits_of, has_vectors, is_neighbourly, lanes_of

SIDE = 8
"""The squares of a tile along both dimensions."""


def lanes_of_squares(target: Target, nest: Nest, across: int) -> int:
    """The elements of a square's side; 1 if there are no squares."""
    last = len(nest.extents) - 1
    arrays = [a for a in nest.accesses if is_memref(a.value)]
    elements = [element_type(a.value.type) for a in arrays]
    if not target.has_lanes or not all(map(has_vectors, elements)):
        return 1
    plain = all(is_neighbourly(a, last) or is_neighbourly(a, across) for a in arrays)
    return lanes_of(max(map(bits_of, elements)), target.access_bytes) if plain else 1


def whole_squares(b: Builder, target: Target, nest: Nest, across: int, lanes: int) -> SSAValue | bool:
    """On the host: whether arrays are aligned and have whole tiles only."""
    ready = aligned(b, [a.value for a in nest.accesses if is_memref(a.value)], target.access_bytes)
    for extent in (nest.extents[across], nest.extents[-1]):
        ready = b.all_of(ready, b.is_multiple(extent, SIDE * lanes))
    for extent in nest.extents:
        ready = b.all_of(ready, b.is_some(extent))
    return ready


def emit(
    b: Builder,
    target: Target,
    nest: Nest,
    across: int,
    lanes: int,
    square: Callable[[Sequence[Index], int, int], None],
) -> None:
    """A launch with a block a tile."""
    last, size = len(nest.extents) - 1, SIDE * lanes
    counts = [b.div(e, size) if d in (across, last) else e for d, e in enumerate(nest.extents)]
    with launch(b, target, b.product(counts), SIDE * SIDE) as at:
        places = {last: b.rem(at.thread, SIDE), across: b.div(at.thread, SIDE)}
        starts = b.split(at.block[0], counts)
        dims = [b.add(b.mul(i, size), b.mul(places[d], lanes)) if d in places else i for d, i in enumerate(starts)]
        square(dims, across, lanes)
