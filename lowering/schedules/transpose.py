"""The CPU schedule of maps that walk an operand across the out (transposes): square blocks, so that each line of either
is fetched once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.nest import Access, Nest


def crossing(nest: Nest, ins: Sequence[Access]) -> int | None:
    """The dimension of an in's innermost axis, where that is not the innermost loop but the in uses this one too."""
    last = len(nest.extents) - 1
    for access in ins:
        dim = access.innermost
        if dim is not None and dim != last and access.uses(last):
            return dim
    return None


def tiled(
    b: Builder, extents: Sequence[Index], across: int, tile: int, body: Callable[[Sequence[Index]], None]
) -> None:
    """Loops over all dimensions, `across` and the last in blocks of `tile`."""
    last = len(extents) - 1
    steps = [tile if dim in (across, last) else 1 for dim in range(len(extents))]
    with b.parallel(extents, steps, name="tile") as starts:
        ends = {
            dim: extents[dim] if starts[dim] == 0 else b.min(b.add(starts[dim], tile), extents[dim])
            for dim in (across, last)
        }
        with b.loop(starts[across], ends[across], name="i") as i, b.loop(starts[last], ends[last], name="j") as j:
            body([i if d == across else j if d == last else start for d, start in enumerate(starts)])
