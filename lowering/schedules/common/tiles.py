"""Loops over outputs, the last dimension in tiles: full ones of a size known to LLVM, then what remains."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hologram.lowering.rewriting.kernel_builder import Builder, Index

Body = Callable[[Sequence[Index], Index, int], None]
"""`(indices, how many of the tile there are, size of the tile)`; the last index is the tile's first."""


def for_each_tile(b: Builder, extents: Sequence[Index], tile: int, body: Body) -> None:
    """Runs `body` for each tile of the last dimension at each index of the others; a tile of 1 is no tiling."""
    if tile == 1 or not extents:
        with b.parallel(extents, name="i") as indices:
            body(indices, 1, 1)
        return
    last = extents[-1]
    if isinstance(last, int) and last <= tile:
        with b.parallel(extents[:-1], name="i") as indices:
            body([*indices, 0], last, last)
        return
    full = b.div(last, tile)
    with b.parallel([*extents[:-1], b.mul(full, tile)], [1] * (len(extents) - 1) + [tile], name="i") as indices:
        body(indices, tile, tile)
    if isinstance(last, int) and last % tile == 0:
        return
    with b.parallel(extents[:-1], name="i") as indices, b.loop(b.mul(full, tile), last, tile, name="i") as start:
        body([*indices, start], b.sub(last, start), tile)
