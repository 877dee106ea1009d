"""The CPU schedule of maps that walk an operand across the out (transposes): square blocks, copied to the stack first.

The copy reads whole lines, the map writes whole lines, and what lies across is the block on the stack, whose lines do
not evict each other as those of a matrix with a power of two for its width do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays import element_type
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.nest import Access, Nest


@dataclass
class Block:
    """A block of an operand on the stack: lines along `across`, one for each index of the last dimension."""

    array: SSAValue
    pitch: int
    across: int
    starts: Sequence[Index]

    def load(self, b: Builder, dims: Sequence[Index]) -> SSAValue:
        """The element at the given dimensions."""
        line, column = (b.sub(dims[d], self.starts[d]) for d in (len(dims) - 1, self.across))
        return b.load(self.array, [b.add(b.mul(line, self.pitch), column)])


Known = Mapping[int, Block]
"""The operands that are read from elsewhere, by number."""


def crossing(nest: Nest, ins: Sequence[Access]) -> int | None:
    """The dimension of an in's innermost axis, where that is not the innermost loop but the in uses this one too."""
    return next((dim for access in ins if (dim := _crosses(nest, access)) is not None), None)


def _crosses(nest: Nest, access: Access) -> int | None:
    last = len(nest.extents) - 1
    dim = access.innermost
    return dim if dim is not None and dim != last and access.uses(last) else None


def tiled(
    b: Builder,
    nest: Nest,
    ins: Sequence[Access],
    across: int,
    tile: int,
    body: Callable[[Sequence[Index], Known], None],
) -> None:
    """Loops over all dimensions, `across` and the last in blocks of `tile`."""
    last, extents = len(nest.extents) - 1, nest.extents
    steps = [tile if dim in (across, last) else 1 for dim in range(len(extents))]
    with b.parallel(extents, steps, name="tile") as starts:

        def block(dim: int) -> tuple[Index, Index]:
            start = starts[dim]
            return start, extents[dim] if start == 0 else b.min(b.add(start, tile), extents[dim])

        def at(i: Index, j: Index) -> list[Index]:
            return [i if d == across else j if d == last else start for d, start in enumerate(starts)]

        rows, columns = block(across), block(last)
        copied = {n: a for n, a in enumerate(ins) if _crosses(nest, a) == across and _is_plain(a)}
        known = {
            n: Block(b.alloca(element_type(a.value.type), tile * tile), tile, across, starts) for n, a in copied.items()
        }
        with b.loop(*columns, name="j") as j, b.loop(*rows, name="i") as i:
            for n, access in copied.items():
                place = b.add(b.mul(b.sub(j, starts[last]), tile), b.sub(i, starts[across]))
                b.store(access.load(b, at(i, j)), known[n].array, [place])
        with b.loop(*rows, name="i") as i, b.loop(*columns, name="j") as j:
            body(at(i, j), known)


def _is_plain(access: Access) -> bool:
    return all(isinstance(e, AffineDimExpr) for e in access.exprs)
