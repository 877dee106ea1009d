"""Reductions on a CPU in the association of isa.md section 3, for one output or a tile of neighbouring ones.

Element i belongs to chunk i div 4096 and there to accumulator i mod 128. The accumulators of a chunk combine by
halving, the chunks' results pairwise. Both are a balanced tree, so results wait for their partners as the bits of a
binary counter do: slot n of an array on the stack holds the result of 2^n leaves. Padding with the identity changes
nothing and is left out. Where the order is free (integers, minimum and maximum) there is one chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Region, SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, identity
from hologram.dialects.atlas.types import DType
from hologram.lowering.schedules.builder import INDEX, Builder, Index

CHUNK = 4096
LANES = 128
LEVELS = 48
"""Slots for the results that wait, more than the bits of any number of leaves."""

Element = Callable[[Sequence[Index], Index], Sequence[SSAValue]]
"""`(reduced indices, number in the tile) -> the element for each combiner`."""

_INSTRUCTIONS: dict[Kind, Any] = {
    Kind.add: scalar.AddOp,
    Kind.mul: scalar.MulOp,
    Kind.min: scalar.MinOp,
    Kind.max: scalar.MaxOp,
    Kind.min_nan: scalar.MinNanOp,
    Kind.max_nan: scalar.MaxNanOp,
}


def reduction(
    b: Builder,
    combiners: Sequence[tuple[Kind, DType]],
    lengths: Sequence[Index],
    element: Element,
    *,
    tile: int = 1,
    width: Index = 1,
) -> Reduction:
    """Emits the reduction of `element` over `lengths` (row-major), for each of `width` (at most `tile`) outputs."""
    kind = RowReduction if tile == 1 else TileReduction
    made = kind(b, combiners, lengths, element, tile, width)
    made.emit()
    return made


class Reduction:
    """What both forms share: the combined values, and the slots in which results wait."""

    def __init__(
        self,
        b: Builder,
        combiners: Sequence[tuple[Kind, DType]],
        lengths: Sequence[Index],
        element: Element,
        tile: int,
        width: Index,
    ):
        self.b = b
        self.combiners = combiners
        self.outer, self.inner = list(lengths[:-1]), lengths[-1] if lengths else 1
        self.count = b.product(lengths)
        self.element = element
        self.tile = tile
        self.width = width
        self.ordered = any(t.is_float and kind in (Kind.add, Kind.mul) for kind, t in combiners)
        self.sums: list[SSAValue] = []
        """An array for each combiner; its first `tile` elements become the combined values."""

    def emit(self) -> None:
        """All of the code."""
        raise NotImplementedError

    def result(self, number: int, t: Index) -> SSAValue:
        """The combined value of a combiner for one output; an empty float sum is +0."""
        kind, dtype = self.combiners[number]
        value = self.b.load(self.sums[number], [t])
        if kind is not Kind.add or not dtype.is_float or (isinstance(self.count, int) and self.count > 0):
            return value
        empty = self.b.compare("eq", self.count, 0)
        return self.b.op(arith.SelectOp(empty, self.b.constant(0.0, dtype), value))

    def results(self, number: int = 0) -> Callable[[Index], SSAValue]:
        """`result` of one combiner; of a single output loaded here and now."""
        if self.tile > 1:
            return lambda t: self.result(number, t)
        value = self.result(number, 0)
        return lambda t: value

    # Accumulators

    def combine(self, number: int, old: tuple[SSAValue, Index], value: SSAValue, new: tuple[SSAValue, Index]) -> None:
        """Stores `old op value` in the place `new`."""
        kind, dtype = self.combiners[number]
        before = self.b.load(old[0], [old[1]])
        self.b.store(self.b.op(_INSTRUCTIONS[kind](dtype, before, value)), new[0], [new[1]])

    def accumulate(self, place: Index, values: Sequence[SSAValue]) -> None:
        """Combines an element with the accumulators at `place`."""
        for number, value in enumerate(values):
            here = (self.sums[number], place)
            self.combine(number, here, value, here)

    def fill(self, count: int) -> None:
        """Identities in the first accumulators."""
        with self.b.loop(0, count, name="l") as lane:
            for array, (kind, dtype) in zip(self.sums, self.combiners, strict=True):
                self.b.store(self.b.constant(identity(kind, dtype), dtype), array, [lane])

    def split(self, linear: Index, extents: Sequence[Index]) -> list[Index]:
        """The indices of a row-major linear index."""
        indices: list[Index] = []
        for extent in reversed(extents[1:]):
            indices.append(self.b.rem(linear, extent))
            linear = self.b.div(linear, extent)
        return [linear, *reversed(indices)]

    # Slots

    def slots(self) -> list[SSAValue]:
        """An array for each combiner."""
        return [self.b.alloca(t.ir, LEVELS * self.tile) for _, t in self.combiners]

    def push(self, slots: Sequence[SSAValue], leaf: Index) -> None:
        """Carries a leaf's result through the slots that the bits of its number say are full."""
        level = self._while_bits(leaf, lambda bit, more: bit, lambda level, bit: self._onto(slots, level))
        with self.b.loop(0, self.width, name="t") as t:
            place = self.b.add(self.b.mul(level, self.tile), t)
            for array, slot in zip(self.sums, slots, strict=True):
                self.b.store(self.b.load(array, [t]), slot, [place])

    def fold(self, slots: Sequence[SSAValue], leaves: Index) -> None:
        """Combines the full slots, the least first."""

        def step(level: Index, bit: SSAValue) -> None:
            with self.b.when(bit):
                self._onto(slots, level)

        self.fill(self.tile)
        self._while_bits(leaves, lambda bit, more: more, step)

    def _onto(self, slots: Sequence[SSAValue], level: Index) -> None:
        b = self.b
        with b.loop(0, self.width, name="t") as t:
            place = b.add(b.mul(level, self.tile), t)
            for number, (slot, array) in enumerate(zip(slots, self.sums, strict=True)):
                self.combine(number, (slot, place), b.load(array, [t]), (array, t))

    def _while_bits(
        self,
        bits: Index,
        goes_on: Callable[[SSAValue, SSAValue], SSAValue],
        step: Callable[[Index, SSAValue], None],
    ) -> SSAValue:
        """Walks over the bits of a number, the lowest first, while `goes_on(this bit, any bit)`; gives the place."""
        b = self.b
        before, after = Block(arg_types=[INDEX, INDEX]), Block(arg_types=[INDEX, INDEX])
        with b.inside(before):
            rest, level = before.args
            bit = b.compare("eq", b.rem(rest, 2), 1)
            b.rw.emit(scf.ConditionOp(goes_on(bit, b.compare("ne", rest, 0)), rest, level))
        with b.inside(after):
            rest, level = after.args
            step(level, b.compare("eq", b.rem(rest, 2), 1))
            b.rw.emit(scf.YieldOp(b.index(b.div(rest, 2)), b.index(b.add(level, 1))))
        start = [b.index(bits), b.index(0)]
        loop = b.rw.emit(scf.WhileOp(start, [INDEX, INDEX], Region(before), Region(after)))
        return loop.results[1]


class RowReduction(Reduction):
    """One output: the accumulators lie side by side, and LLVM vectorises over them."""

    def emit(self) -> None:
        count = self.count
        self.lanes = LANES if not isinstance(count, int) or count > LANES else 1 << max(count - 1, 0).bit_length()
        self.sums = [self.b.alloca(t.ir, self.lanes) for _, t in self.combiners]
        if count == 0:
            self.fill(1)
            return
        if not self.ordered or (isinstance(count, int) and count <= CHUNK):
            self.fill(self.lanes)
            self._whole()
            self._halve()
            return
        b, slots = self.b, self.slots()
        chunks = b.ceildiv(count, CHUNK)
        with b.loop(0, chunks, name="chunk") as chunk:
            self.fill(self.lanes)
            start = b.mul(chunk, CHUNK)
            self._part(start, b.min(b.add(start, CHUNK), count))
            self._halve()
            self.push(slots, chunk)
        self.fold(slots, chunks)

    def _halve(self) -> None:
        """Half the accumulators onto the others, repeatedly; those that got no element are skipped."""
        b, half = self.b, self.lanes // 2
        while half:
            if isinstance(self.count, int):
                self._fold_half(half)
            else:
                with b.when(b.compare("ugt", self.count, half)):
                    self._fold_half(half)
            half //= 2

    def _fold_half(self, half: int) -> None:
        b = self.b
        with b.loop(0, half, name="l") as lane:
            self.accumulate(lane, [b.load(array, [b.add(lane, half)]) for array in self.sums])

    def _whole(self) -> None:
        """All elements into one set of accumulators."""
        if self.ordered and self.outer:
            self._rows(0, self.count)
            return
        with self.b.loops(self.outer, name="r") as outer:
            self._run(outer, 0, self.inner)

    def _part(self, start: Index, end: Index) -> None:
        """The elements from `start` to `end` of the reduced index, in order."""
        if self.outer:
            self._rows(start, end)
        else:
            self._run([], start, end)

    def _run(self, outer: Sequence[Index], start: Index, end: Index) -> None:
        """A run along the innermost dimension that starts at a multiple of the lanes."""
        b = self.b
        groups = b.div(b.sub(end, start), self.lanes)
        if groups != 0:
            with b.loop(0, groups, name="g") as group, b.loop(0, self.lanes, name="l") as lane:
                place = b.add(b.add(start, b.mul(group, self.lanes)), lane)
                self.accumulate(lane, self.element([*outer, place], 0))
        base = b.add(start, b.mul(groups, self.lanes))
        if base != end:
            with b.loop(0, b.sub(end, base), name="l") as lane:
                self.accumulate(lane, self.element([*outer, b.add(base, lane)], 0))

    def _rows(self, start: Index, end: Index) -> None:
        """The part of each row of the innermost dimension that lies between, cut where the lanes start anew."""
        b, row = self.b, self.inner
        with b.loop(b.div(start, row), b.div(b.sub(b.add(end, row), 1), row), name="r") as number:
            first = b.mul(number, row)
            low, high = b.max(start, first), b.min(end, b.add(first, row))
            outer = self.split(number, self.outer)
            with b.loop(b.div(low, self.lanes), b.ceildiv(high, self.lanes), name="g") as group:
                base = b.mul(group, self.lanes)
                last = b.min(high, b.add(base, self.lanes))
                with b.loop(b.max(low, base), last, name="i") as i:
                    self.accumulate(b.sub(i, base), self.element([*outer, b.sub(i, first)], 0))


class TileReduction(Reduction):
    """Neighbouring outputs: LLVM vectorises over them, and each accumulator is a leaf of the tree, one after the other.

    Halving combines accumulators whose numbers agree in their low bits, so they are visited in the order of their
    reversed bits; then each leaf's partner is its neighbour, as for chunks.
    """

    def emit(self) -> None:
        b = self.b
        self.sums = [b.alloca(t.ir, self.tile) for _, t in self.combiners]
        if self.count == 0:
            self.fill(self.tile)
            return
        if not self.ordered:
            self.fill(self.tile)
            with b.loops([*self.outer, self.inner], name="r") as indices:
                self._add(indices)
            return
        slots, lanes = self.slots(), self._lanes()
        chunks = b.ceildiv(self.count, CHUNK)
        spread = b.div(LANES, lanes)
        with b.loop(0, chunks, name="chunk") as chunk:
            start = b.mul(chunk, CHUNK)
            end = b.min(b.add(start, CHUNK), self.count)
            with b.loop(0, lanes, name="leaf") as leaf:
                self.fill(self.tile)
                lane = b.div(_reverse(b, leaf), spread)
                with b.loop(b.add(start, lane), end, LANES, name="r") as i:
                    self._add(self.split(i, [*self.outer, self.inner]))
                self.push(slots, b.add(b.mul(chunk, LANES), leaf))
        self.fold(slots, b.mul(chunks, lanes))

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

    def _add(self, indices: Sequence[Index]) -> None:
        with self.b.loop(0, self.width, name="t") as t:
            self.accumulate(t, self.element(indices, t))


def _reverse(b: Builder, value: Index) -> Index:
    """The lowest seven bits of an index in reverse: a product spreads copies, a remainder gathers the right ones."""
    if isinstance(value, int):
        return int(f"{value:07b}"[::-1], 2)
    spread = b.mul(value, 0x0202020202)
    picked = b.op(arith.AndIOp(b.index(spread), b.index(0x010884422010)))
    return b.div(b.rem(picked, 1023), 2)
