"""Reductions of neighbouring outputs: vectors lie over the outputs, and memory is read in its order."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction_form import CHUNK, LANES, LEVELS, Combiners, Element, Reduction


class TileReduction(Reduction):
    """Each accumulator is a leaf of the tree, one after the other, for all outputs of the tile.

    Halving combines accumulators whose numbers agree in their low bits, so they are visited in the order of their
    reversed bits; then each leaf's partner is its neighbour, as for chunks. `rows` elements of a leaf are added to an
    accumulator that is in a register.
    """

    def __init__(
        self,
        b: Builder,
        combiners: Combiners,
        lengths: Sequence[Index],
        element: Element,
        tile: int,
        width: Index,
        rows: int,
    ):
        super().__init__(b, combiners, lengths, element)
        self.tile = tile
        self.width = width
        self.rows = 1 if isinstance(self.count, int) and self.count <= (rows - 1) * LANES else rows
        self.sums = [b.alloca(t.ir, self.tile) for _, t in self.combiners]

    def combined(self, number: int, t: Index) -> SSAValue:
        return self.b.load(self.sums[number], [t])

    def emit(self) -> None:
        b = self.b
        if self.count == 0:
            return self._fill()
        if not self.ordered:
            self._fill()
            with b.loops([*self.outer, self.inner], name="r") as indices:
                self._add([indices])
            return
        slots = [b.alloca(t.ir, LEVELS * self.tile) for _, t in self.combiners]
        lanes = self._lanes()
        chunks = b.ceildiv(self.count, CHUNK)
        spread = b.div(LANES, lanes)
        with b.loop(0, chunks, name="chunk") as chunk:
            start = b.mul(chunk, CHUNK)
            end = b.min(b.add(start, CHUNK), self.count)
            with b.loop(0, lanes, name="leaf") as leaf:
                self._fill()
                lane = b.div(_reverse(b, leaf), spread)
                self._leaf(b.add(start, lane), end)
                self._push(slots, b.add(b.mul(chunk, LANES), leaf))
        self._fold(slots, b.mul(chunks, lanes))

    def _leaf(self, first: Index, end: Index) -> None:
        """The elements of a leaf: `rows` of them at a time, then one by one those that remain."""
        b, step = self.b, self.rows * LANES
        if self.rows > 1:
            count = b.ceildiv(b.sub(end, b.min(first, end)), LANES)
            last = b.add(first, b.mul(b.div(count, self.rows), step))
            with b.loop(first, last, step, name="r") as i:
                self._add([self._split(b.add(i, n * LANES)) for n in range(self.rows)])
            first = last
        with b.loop(first, end, LANES, name="r") as i:
            self._add([self._split(i)])

    def _split(self, number: Index) -> Sequence[Index]:
        return self.b.split(number, [*self.outer, self.inner])

    def _lanes(self) -> Index:
        """The power of two of accumulators that get elements, for a chunk."""
        b, lanes = self.b, LANES
        if isinstance(self.count, int):
            return min(LANES, 1 << max(self.count - 1, 0).bit_length())
        found: Index = lanes
        while lanes > 1:
            lanes //= 2
            fewer = b.compare("ule", self.count, lanes)
            found = b.op(arith.SelectOp(fewer, b.index(lanes), b.index(found)))
        return found

    # Accumulators of the tile

    def _fill(self) -> None:
        with self.b.loop(0, self.tile, name="t", vector=True) as t:
            self._store(self.sums, t, self.identities())

    def _add(self, rows: Sequence[Sequence[Index]]) -> None:
        """Elements onto the accumulators, one after the other."""
        with self.b.loop(0, self.width, name="t", vector=True) as t:
            sums: Sequence[SSAValue] = self._load(self.sums, t)
            for indices in rows:
                sums = self.join(sums, self.element(indices, t))
            self._store(self.sums, t, sums)

    def _load(self, arrays: Sequence[SSAValue], place: Index) -> list[SSAValue]:
        return [self.b.load(array, [place]) for array in arrays]

    def _store(self, arrays: Sequence[SSAValue], place: Index, values: Sequence[SSAValue]) -> None:
        for array, value in zip(arrays, values, strict=True):
            self.b.store(value, array, [place])

    # Slots

    def _push(self, slots: Sequence[SSAValue], leaf: Index) -> None:
        """Carries a leaf's result through the slots that the bits of its number say are full."""
        b = self.b

        def step(level: Index, bit: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self._onto(slots, level)
            return values

        level, _ = self.while_bits(leaf, [], lambda bit, more: bit, step)
        with b.loop(0, self.width, name="t", vector=True) as t:
            self._store(slots, b.add(b.mul(level, self.tile), t), self._load(self.sums, t))

    def _fold(self, slots: Sequence[SSAValue], leaves: Index) -> None:
        """Combines the full slots, the least first."""

        def step(level: Index, bit: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            with self.b.when(bit):
                self._onto(slots, level)
            return values

        self._fill()
        self.while_bits(leaves, [], lambda bit, more: more, step)

    def _onto(self, slots: Sequence[SSAValue], level: Index) -> None:
        b = self.b
        with b.loop(0, self.width, name="t", vector=True) as t:
            waiting = self._load(slots, b.add(b.mul(level, self.tile), t))
            self._store(self.sums, t, self.join(waiting, self._load(self.sums, t)))


def _reverse(b: Builder, value: Index) -> Index:
    """The lowest seven bits of an index in reverse: a product spreads copies, a remainder gathers the right ones."""
    if isinstance(value, int):
        return int(f"{value:07b}"[::-1], 2)
    spread = b.mul(value, 0x0202020202)
    picked = b.op(arith.AndIOp(b.index(spread), b.index(0x010884422010)))
    return b.div(b.rem(picked, 1023), 2)
