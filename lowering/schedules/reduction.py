"""Reductions on a CPU in the association of isa.md section 3, for one output or a tile of neighbouring ones.

Element i belongs to chunk i div 4096 and there to accumulator i mod 128. The accumulators of a chunk lie in an array on
the stack, which LLVM vectorises over; they combine by halving. The chunks' results combine as a binary counter carries:
slot n of a second array holds the result of 2^n chunks. Padding with the identity changes nothing and is left out.
Where the order is free (integers, minimum and maximum) there is one chunk.
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
LEVELS = 64

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


class Reduction:
    """Emits the reduction of `element` over `lengths` (row-major), for each of `width` (at most `tile`) outputs."""

    def __init__(
        self,
        b: Builder,
        combiners: Sequence[tuple[Kind, DType]],
        lengths: Sequence[Index],
        element: Element,
        *,
        tile: int = 1,
        width: Index = 1,
    ):
        self.b = b
        self.combiners = combiners
        self.outer, self.inner = list(lengths[:-1]), lengths[-1] if lengths else 1
        self.count = b.product(lengths)
        self.element = element
        self.tile = tile
        self.width = width
        self.ordered = any(t.is_float and kind in (Kind.add, Kind.mul) for kind, t in combiners)
        count = self.count
        self.lanes = LANES if not isinstance(count, int) or count > LANES else 1 << max(count - 1, 0).bit_length()
        self.sums = [b.alloca(t.ir, self.lanes * tile) for _, t in combiners]

    def emit(self) -> None:
        """All of it; then `result` gives the combined values."""
        if not self.ordered or (isinstance(self.count, int) and self.count <= CHUNK):
            self._fill()
            self._whole()
            self._halve()
            return
        b = self.b
        stacks = [b.alloca(t.ir, LEVELS * self.tile) for _, t in self.combiners]
        chunks = b.ceildiv(self.count, CHUNK)
        with b.loop(0, chunks, name="chunk") as chunk:
            self._fill()
            start = b.mul(chunk, CHUNK)
            self._part(start, b.min(b.add(start, CHUNK), self.count))
            self._halve()
            self._push(stacks, chunk)
        self._fill(1)
        self._fold(stacks, chunks)

    def result(self, number: int, t: Index) -> SSAValue:
        """The combined value of a combiner for one output; an empty float sum is +0."""
        kind, dtype = self.combiners[number]
        value = self.b.load(self.sums[number], [t])
        if kind is not Kind.add or not dtype.is_float or (isinstance(self.count, int) and self.count > 0):
            return value
        empty = self.b.compare("eq", self.count, 0)
        return self.b.op(arith.SelectOp(empty, self.b.constant(0.0, dtype), value))

    def once(self, number: int = 0) -> Callable[[Index], SSAValue]:
        """`result` of a single output, loaded here and now."""
        value = self.result(number, 0)
        return lambda t: value

    # Accumulators

    def _combine(self, number: int, place: Sequence[tuple[SSAValue, Index]], value: SSAValue) -> None:
        """Stores `array[index] op value` back, or to the second place."""
        kind, dtype = self.combiners[number]
        array, index = place[0]
        old = self.b.load(array, [index])
        target, at = place[-1]
        self.b.store(self.b.op(_INSTRUCTIONS[kind](dtype, old, value)), target, [at])

    def _fill(self, lanes: int | None = None) -> None:
        with self.b.loop(0, (self.lanes if lanes is None else lanes) * self.tile, name="l") as lane:
            for array, (kind, dtype) in zip(self.sums, self.combiners, strict=True):
                self.b.store(self.b.constant(identity(kind, dtype), dtype), array, [lane])

    def _halve(self) -> None:
        b, half = self.b, self.lanes // 2
        while half:
            with b.loop(0, half * self.tile, name="l") as lane:
                for number, array in enumerate(self.sums):
                    self._combine(number, [(array, lane)], b.load(array, [b.add(lane, half * self.tile)]))
            half //= 2

    def _add(self, lane: Index, indices: Sequence[Index]) -> None:
        """One element of each output."""
        b = self.b
        with b.loop(0, self.width, name="t") as t:
            place = b.add(b.mul(lane, self.tile), t)
            for number, value in enumerate(self.element(indices, t)):
                self._combine(number, [(self.sums[number], place)], value)

    # Elements

    def _whole(self) -> None:
        """All elements into one set of accumulators."""
        if self.ordered and self.outer:
            self._part(0, self.count)
            return
        with self.b.loops(self.outer, name="r") as outer:
            self._run(outer, 0, self.inner)

    def _part(self, start: Index, end: Index) -> None:
        """The elements from `start` to `end` of the reduced index, in order."""
        if not self.outer:
            self._run([], start, end)
        elif self.tile > 1:
            with self.b.loop(start, end, name="r") as i:
                self._add(self.b.rem(i, self.lanes), self._split(i, [*self.outer, self.inner]))
        else:
            self._rows(start, end)

    def _run(self, outer: Sequence[Index], start: Index, end: Index) -> None:
        """A run along the innermost dimension that starts at a multiple of the lanes."""
        b = self.b
        if self.tile > 1:
            with b.loop(start, end, name="r") as i:
                self._add(b.rem(i, self.lanes), [*outer, i])
            return
        groups = b.div(b.sub(end, start), self.lanes)
        with b.loop(0, groups, name="g") as group:
            base = b.add(start, b.mul(group, self.lanes))
            with b.loop(0, self.lanes, name="l") as lane:
                self._add(lane, [*outer, b.add(base, lane)])
        base = b.add(start, b.mul(groups, self.lanes))
        if base != end:
            with b.loop(0, b.sub(end, base), name="l") as lane:
                self._add(lane, [*outer, b.add(base, lane)])

    def _rows(self, start: Index, end: Index) -> None:
        """The part of each row of the innermost dimension that lies between, cut where the lanes start anew."""
        b, row = self.b, self.inner
        with b.loop(b.div(start, row), b.div(b.sub(b.add(end, row), 1), row), name="r") as number:
            first = b.mul(number, row)
            low, high = b.max(start, first), b.min(end, b.add(first, row))
            outer = self._split(number, self.outer)
            with b.loop(b.div(low, self.lanes), b.ceildiv(high, self.lanes), name="g") as group:
                base = b.mul(group, self.lanes)
                last = b.min(high, b.add(base, self.lanes))
                with b.loop(b.max(low, base), last, name="i") as i:
                    self._add(b.sub(i, base), [*outer, b.sub(i, first)])

    def _split(self, linear: Index, extents: Sequence[Index]) -> list[Index]:
        """The indices of a row-major linear index."""
        indices: list[Index] = []
        for extent in reversed(extents[1:]):
            indices.append(self.b.rem(linear, extent))
            linear = self.b.div(linear, extent)
        return [linear, *reversed(indices)]

    # Chunks

    def _push(self, stacks: Sequence[SSAValue], chunk: Index) -> None:
        """Carries the chunk's result through the slots that the bits of its number say are full."""
        level = self._while_bits(chunk, lambda bit, more: bit, lambda level, bit: self._onto(stacks, level, self.sums))
        with self.b.loop(0, self.tile, name="t") as t:
            place = self.b.add(self.b.mul(level, self.tile), t)
            for array, stack in zip(self.sums, stacks, strict=True):
                self.b.store(self.b.load(array, [t]), stack, [place])

    def _fold(self, stacks: Sequence[SSAValue], chunks: Index) -> None:
        """Combines the full slots, the least first."""

        def step(level: Index, bit: SSAValue) -> None:
            with self.b.when(bit):
                self._onto(stacks, level, self.sums)

        self._while_bits(chunks, lambda bit, more: more, step)

    def _onto(self, stacks: Sequence[SSAValue], level: Index, sums: Sequence[SSAValue]) -> None:
        b = self.b
        with b.loop(0, self.tile, name="t") as t:
            place = b.add(b.mul(level, self.tile), t)
            for number, (stack, array) in enumerate(zip(stacks, sums, strict=True)):
                self._combine(number, [(stack, place), (array, t)], b.load(array, [t]))

    def _while_bits(
        self,
        bits: Index,
        goes_on: Callable[[SSAValue, SSAValue], SSAValue],
        step: Callable[[Index, SSAValue], None],
    ) -> SSAValue:
        """Walks over the bits of a number, the lowest first, while `goes_on(this bit, any bit)`. Gives where it stops."""
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
