"""Maps that walk an operand across the out (transposes): square tiles of it, turned in workgroup memory.

Threads read neighbours along the operand's rows and write neighbours along the out's. The tile's lines are one element
longer than they need be, so that neither way of walking it meets the same bank twice.

Maps that walk an operand across the out, where threads are lanes of a processor: each turns a square in registers.

Neighbours among the threads write neighbours: that is faster than if they read neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import element_type
from hologram.dialects.layouts import byte_size
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_memref
from hologram.lowering.schedules.common.nest import Access, Nest
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.transpose import WIDEST, is_turned
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.neighbours import aligned, bits_of, has_vectors, is_neighbourly, lanes_of

THREADS = 256
LEAST_SIDE = 16
"""Of a tile with an element for each thread."""
Body = Callable[..., None]


Known = Mapping[int, Access]
"""The operands whose element is loaded already, by number."""


def tiled(b: Builder, target: Target, nest: Nest, ins: Sequence[Access], across: int, body: Body) -> None:
    """A launch with a block for each tile of `across` and the last dimension; the other dimensions are walked too.

    `body(dims, known)` stores one element of the outs.
    """
    last = len(nest.extents) - 1
    across_out = [(n, a) for n, a in enumerate(ins) if a.innermost == across and a.uses(last) and is_turned(a)]
    # Those beyond are read as they lie.
    turned = dict(across_out[: target.shared_bytes // _bytes(LEAST_SIDE)])
    narrow = all((byte_size(element_type(a.value.type)) or 4) <= 2 for a in turned.values())
    side = 64 if narrow else 32
    while side > LEAST_SIDE and (not turned or len(turned) * _bytes(side) > target.shared_bytes):
        side //= 2
    _Tiles(b, nest, turned, across, side).emit(target, body)


def _bytes(side: int) -> int:
    """Of a tile of the widest elements."""
    return side * (side + 1) * WIDEST


@dataclass
class _Tiles:
    b: Builder
    nest: Nest
    turned: Mapping[int, Access]
    across: int
    side: int

    def emit(self, target: Target, body: Body) -> None:
        b, last, side = self.b, len(self.nest.extents) - 1, self.side
        counts = [b.ceildiv(e, side) if d in (self.across, last) else e for d, e in enumerate(self.nest.extents)]
        with launch(b, target, b.product(counts), THREADS) as at:
            tiles = {n: at.shared(element_type(a.value.type), side, side + 1) for n, a in self.turned.items()}
            with at.shares(b.product(counts), name="tile") as number:
                starts = self._starts(number, counts)
                self._tile(at, starts, tiles, body)

    def _starts(self, number: Index, counts: Sequence[Index]) -> list[Index]:
        b, last = self.b, len(counts) - 1
        starts: list[Index] = [0] * len(counts)
        for dim in range(last, -1, -1):
            place = number if dim == 0 else b.rem(number, counts[dim])
            number = number if dim == 0 else b.div(number, counts[dim])
            starts[dim] = b.mul(place, self.side) if dim in (self.across, last) else place
        return starts

    def _tile(self, at: Launch, starts: Sequence[Index], tiles: Mapping[int, SSAValue], body: Body) -> None:
        b, last, side = self.b, len(starts) - 1, self.side
        line, column = b.div(at.thread, side), b.rem(at.thread, side)
        ends = [b.at_most(b.add(starts[d], side), self.nest.extents[d]) for d in (self.across, last)]
        whole = b.both(*ends)

        # All loads before the first store: the device need not know that these are different memories.
        def read(lines: Sequence[Index]) -> None:
            places = [self._dims(starts, column, line) for line in lines]
            for number, access in self.turned.items():
                values = [access.load(b, dims) for dims in places]
                for value, line in zip(values, lines, strict=True):
                    b.store(value, tiles[number], [line, column])

        def write(lines: Sequence[Index]) -> None:
            known = [{n: Access(b.load(t, [column, line]), ()) for n, t in tiles.items()} for line in lines]
            for values, line in zip(known, lines, strict=True):
                body(self._dims(starts, line, column), values)

        if self.turned:
            self._all(whole, starts, line, column, read, read_across=True)
            at.barrier()
        self._all(whole, starts, line, column, write, read_across=False)
        if self.turned:  # The next tile is read into the same memory.
            at.barrier()

    def _dims(self, starts: Sequence[Index], i: Index, j: Index) -> list[Index]:
        """The indices of an element: `i` along `across`, `j` along the last dimension, of the tile."""
        b, last = self.b, len(starts) - 1
        offsets = {self.across: i, last: j}
        return [b.add(start, offsets[d]) if d in offsets else start for d, start in enumerate(starts)]

    def _all(
        self,
        whole: SSAValue | bool,
        starts: Sequence[Index],
        line: Index,
        column: Index,
        each: Callable[[Sequence[Index]], None],
        *,
        read_across: bool,
    ) -> None:
        """`each` for every line that this thread has a part in; in a tile at the edge where there is an element."""
        b, last = self.b, len(starts) - 1
        step = THREADS // self.side
        lines = [b.add(line, n * step) for n in range(self.side // step)]

        def those_inside() -> None:
            for one in lines:
                i, j = (column, one) if read_across else (one, column)
                dims = self._dims(starts, i, j)
                inside = (b.compare("ult", dims[d], self.nest.extents[d]) for d in (self.across, last))
                with b.when(b.both(*inside)):
                    each([one])

        b.choose(whole, lambda: each(lines), those_inside)


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
        ready = b.both(ready, b.is_multiple(extent, SIDE * lanes))
    for extent in nest.extents:
        ready = b.both(ready, b.is_some(extent))
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
