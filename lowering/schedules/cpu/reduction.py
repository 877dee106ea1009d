"""The CPU schedule of `atlas.reduce`: loops over the outputs outside, the reduction inside.

Where the operands run along the outputs rather than along the reduced dimensions, a tile of neighbouring outputs is
reduced at once, so that memory is read in its order.

Reductions on a CPU: the form that fits. Their association is in `reduction_form`.

The reduction of one output: its accumulators stay in vector registers over the elements of a chunk.

Reductions of neighbouring outputs: vectors lie over the outputs, and memory is read in its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.arrays.general import ReduceOp
from hologram.dialects.layouts import byte_size
from hologram.dialects.memref import PrefetchOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import OutputTile, for_each_tile, tile_of
from hologram.lowering.schedules.common.reduction_form import (
    CHUNK,
    LANES,
    LEVELS,
    Combiners,
    Counter,
    Element,
    Reduction,
    ReductionNest,
    halve,
)
from hologram.lowering.schedules.common.target import TARGETS, Target
from hologram.transforms.arrays.fuse_atlas import DEAR, cost

TASKS = 256
"""Parts of a reduction that is spread over threads, at most."""

AHEAD = 4096
"""The bytes by which a prefetch is ahead of its load. On a Zen 4 a line of 64 MB of f32 was summed in 1.77 ms, into
the second cache, instead of 2.2 without; 1024 and 2048 bytes, 8192, and the first cache gained less."""


LEAST_VECTOR = 16
"""The bytes of a vector register from which on vectorize-loops runs."""

WIDEST_LANE = 64
"""The bits of the widest numbers that vectors have. Wider ones, whose order is free, have one accumulator: 128 of 4096
bits would take 64 KB of each thread, and code nine times as long."""


class RowReduction(Reduction):
    """A run of lanes at a time goes over the chunk, each lane with its accumulator; then the lanes combine."""

    def __init__(
        self,
        b: Builder,
        combiners: Combiners,
        lengths: Sequence[Index],
        element: Element,
        target: Target,
        *,
        dear: bool,
        spread: bool,
    ):
        super().__init__(b, combiners, lengths, element)
        count = self.count
        widest = max(t.bits for _, t in combiners)
        self.lanes = LANES if not isinstance(count, int) or count > LANES else 1 << max(count - 1, 0).bit_length()
        self.is_wide = not self.ordered and widest > WIDEST_LANE
        if self.is_wide:
            self.lanes = 1
        self.target = target
        self.spread = spread
        self.dear = dear
        registers = 4 if dear else 16 if target.vector_bytes == 64 else 8
        width = target.vector_bytes * 8 // widest
        self.at_once = min(self.lanes, 1 << max(width * registers // len(combiners), 1).bit_length() - 1)
        """The lanes that go over a chunk together."""
        self.values: list[SSAValue] = []

    def combined(self, number: int, t: Index) -> SSAValue:
        return self.values[number]

    def emit(self) -> None:
        count = self.count
        if count == 0:
            self.values = self.identities()
        elif isinstance(count, int) and count <= CHUNK or not self.ordered and (self.outer or not self.spread):
            self.values = self._chunk(self._accumulators(), 0, count)
        elif self.spread:
            self.values = self._spread()
        else:
            self.values = self._chunks(0, self.b.ceildiv(count, CHUNK))

    # Chunks

    def _chunks(self, first: Index, last: Index) -> list[SSAValue]:
        """Combine the chunks from `first` to `last`, by way of slots on the stack."""
        b, sums = self.b, self._accumulators()
        if self.is_wide:
            return self._chunk(sums, b.mul(first, CHUNK), b.min(b.mul(last, CHUNK), self.count))
        counter = Counter(self, [b.alloca(t.ir, LEVELS) for _, t in self.combiners])
        with b.loop(first, last, name="chunk") as chunk:
            start = b.mul(chunk, CHUNK)
            values = self._chunk(sums, start, b.min(b.add(start, CHUNK), self.count))
            counter.push(b.sub(chunk, first), values)
        return counter.total(b.sub(last, first))

    def _spread(self) -> list[SSAValue]:
        """Runs of chunks in parallel, a power of two each; their results combine in a loop over neighbours."""
        b = self.b
        chunks = b.ceildiv(self.count, CHUNK)
        run = b.least_power_of_two(b.ceildiv(chunks, TASKS))
        tasks = b.div(b.sub(b.add(chunks, run), 1), run)
        results = [b.alloca(t.ir, TASKS) for _, t in self.combiners]
        with b.parallel([tasks], name="task") as (task,):
            first = b.mul(task, run)
            values = self._chunks(first, b.min(b.add(first, run), chunks))
            b.store_all(values, results, [task])
        self._pairs(results, tasks)
        # Of no elements there is no task.
        none = b.compare("eq", tasks, 0)
        return b.chosen(none, self.identities, lambda: b.load_all(results, [0]))

    def _pairs(self, results: Sequence[SSAValue], count: Index) -> None:
        """Combines 2j with 2j + 1 in place, repeatedly; the last one without a partner moves on as it is."""
        b = self.b

        def halved(values: Sequence[SSAValue]) -> list[SSAValue]:
            (left,) = values
            half = b.div(left, 2)
            with b.loop(0, half, name="pair") as j:
                first = b.mul(j, 2)
                pair = self.join(b.load_all(results, [first]), b.load_all(results, [b.add(first, 1)]))
                b.store_all(pair, results, [j])
            odd = b.rem(left, 2)
            with b.when(b.compare("ne", odd, 0)):
                b.store_all(b.load_all(results, [b.sub(left, 1)]), results, [half])
            return [b.index(b.add(half, odd))]

        b.carried_while([b.index(count)], lambda values: b.compare("ugt", values[0], 1), halved)

    # One chunk

    def _accumulators(self) -> list[SSAValue]:
        return [self.b.alloca(t.ir, self.lanes) for _, t in self.combiners]

    def _chunk(self, sums: Sequence[SSAValue], start: Index, end: Index) -> list[SSAValue]:
        """Combine the elements from `start` (a multiple of the lanes) to `end` of the reduced index."""
        b = self.b
        if not self.outer:
            self._run([], start, end, sums)
        else:
            with b.loop(0, self.lanes, name="l", vector=True) as lane:
                self.b.store_all(self.identities(), sums, [lane])
            if self.ordered:
                self._rows(sums, start, end)
            else:
                with b.loops(self.outer, name="r") as outer:
                    self._run(outer, 0, self.inner, sums, fresh=False)
        return [
            halve(b, kind, dtype, array, self.lanes, self.target.vector_bytes, loose=self.loose)
            for (kind, dtype), array in zip(self.combiners, sums, strict=True)
        ]

    def _run(
        self, outer: Sequence[Index], start: Index, end: Index, sums: Sequence[SSAValue], *, fresh: bool = True
    ) -> None:
        """A run along the innermost dimension that starts at a multiple of the lanes; `fresh` accumulators are not
        loaded."""
        b = self.b
        groups = b.div(b.sub(end, start), self.lanes)
        self._groups(outer, start, groups, sums, fresh)
        if self.lanes == 1:
            return
        base = b.add(start, b.mul(groups, self.lanes))
        if base != end:
            with b.loop(0, b.sub(end, base), name="l", vector=True) as lane:
                self._add(sums, lane, [*outer, b.add(base, lane)])

    def _groups(
        self, outer: Sequence[Index], start: Index, groups: Index, sums: Sequence[SSAValue], fresh: bool
    ) -> None:
        """The elements of all lanes, so many times."""
        b = self.b
        if self.target.vector_bytes < LEAST_VECTOR and self.lanes > 1:
            # The inner loop is that over neighbours: compilers make vectors of no other.
            with b.loop(0, self.lanes, name="l", vector=True) as lane:
                self.b.store_all(self.identities() if fresh else self.b.load_all(sums, [lane]), sums, [lane])
            with b.loop(0, groups, name="g") as group, b.loop(0, self.lanes, name="l", vector=True) as lane:
                self._add(sums, lane, [*outer, b.add(b.add(start, b.mul(group, self.lanes)), lane)])
            return

        def full(ahead: bool) -> None:
            with b.loop(0, self.lanes, name="l", vector=self.at_once) as lane:

                def add(group: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                    place = b.add(b.add(start, b.mul(group, self.lanes)), lane)
                    before = b.rw.insertion_block.last_op
                    element = self.element([*outer, place], 0)
                    if ahead:
                        self._prefetch(before)
                    return self.join(values, element)

                first = self.identities() if fresh else self.b.load_all(sums, [lane])
                # Unrolled, all prefetches would stand in front.
                self.b.store_all(b.carried(0, groups, first, add, name="g", as_it_is=ahead), sums, [lane])

        b.choose(self._is_far(), lambda: full(ahead=True), lambda: full(ahead=False))

    def _is_far(self) -> SSAValue | bool:
        """Return whether this is a line of cheap elements from memory: then LLVM's loads alone leave that idle."""
        if not self.spread or self.dear or self.outer:
            return False
        limit = self.target.cache_bytes * 8 // min(t.bits for _, t in self.combiners)
        return self.count > limit if isinstance(self.count, int) else self.b.compare("ugt", self.count, limit)

    def _prefetch(self, before: Operation | None) -> None:
        """Prefetches what lies ahead of the loads that were emitted behind an operation."""
        b = self.b
        op = b.rw.insertion_block.first_op if before is None else before.next_op
        loads: list[memref.LoadOp] = []
        while op is not None:
            loads += [op] if isinstance(op, memref.LoadOp) else []
            op = op.next_op
        for load in loads:
            if not load.indices:  # A number, such as the result of another reduction, stays where it is.
                continue
            *outer, last = load.indices
            ahead = b.add(last, AHEAD // (byte_size(load.res.type) or 1))
            b.rw.emit(PrefetchOp(load.memref, [*outer, b.index(ahead)], locality=1))

    def _add(self, sums: Sequence[SSAValue], lane: Index, indices: Sequence[Index]) -> None:
        """Combines an element with an accumulator in memory."""
        self.b.store_all(self.join(self.b.load_all(sums, [lane]), self.element(indices, 0)), sums, [lane])

    def _rows(self, sums: Sequence[SSAValue], start: Index, end: Index) -> None:
        """The part of each row of the innermost dimension that lies between, cut where the lanes start anew."""
        b, row = self.b, self.inner
        with b.loop(b.div(start, row), b.div(b.sub(b.add(end, row), 1), row), name="r") as number:
            first = b.mul(number, row)
            low, high = b.max(start, first), b.min(end, b.add(first, row))
            outer = self.b.split(number, self.outer)
            with b.loop(b.div(low, self.lanes), b.ceildiv(high, self.lanes), name="g") as group:
                base = b.mul(group, self.lanes)
                last = b.min(high, b.add(base, self.lanes))
                with b.loop(b.max(low, base), last, name="i", vector=True) as i:
                    self._add(sums, b.sub(i, base), [*outer, b.sub(i, first)])


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
        outputs: OutputTile,
        rows: int,
    ):
        super().__init__(b, combiners, lengths, element)
        self.tile, self.width = outputs.size, outputs.width
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
        active: Index = lanes
        while lanes > 1:
            lanes //= 2
            fewer = b.compare("ule", self.count, lanes)
            active = b.core.select(fewer, b.index(lanes), b.index(active))
        return active

    # Accumulators of the tile

    def _fill(self) -> None:
        with self.b.loop(0, self.tile, name="t", vector=True) as t:
            self.b.store_all(self.identities(), self.sums, [t])

    def _add(self, rows: Sequence[Sequence[Index]]) -> None:
        """Elements onto the accumulators, one after the other."""
        with self.b.loop(0, self.width, name="t", vector=True) as t:
            sums: Sequence[SSAValue] = self.b.load_all(self.sums, [t])
            for indices in rows:
                sums = self.join(sums, self.element(indices, t))
            self.b.store_all(sums, self.sums, [t])

    # Slots

    def _push(self, slots: Sequence[SSAValue], leaf: Index) -> None:
        """Carries a leaf's result through the slots that the bits of its number say are full."""
        b = self.b

        def step(level: Index, bit: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self._onto(slots, level)
            return values

        level, _ = self.while_bits(leaf, [], lambda bit, more: bit, step)
        with b.loop(0, self.width, name="t", vector=True) as t:
            place = b.add(b.mul(level, self.tile), t)
            b.store_all(b.load_all(self.sums, [t]), slots, [place])

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
            waiting = self.b.load_all(slots, [b.add(b.mul(level, self.tile), t)])
            self.b.store_all(self.join(waiting, self.b.load_all(self.sums, [t])), self.sums, [t])


def _reverse(b: Builder, value: Index) -> Index:
    """The lowest seven bits of an index in reverse: a product spreads copies, a remainder gathers the right ones."""
    if isinstance(value, int):
        return int(f"{value:07b}"[::-1], 2)
    spread = b.mul(value, 0x0202020202)
    picked = b.core.both(b.index(spread), b.index(0x010884422010))
    return b.div(b.rem(picked, 1023), 2)


def reduction(
    b: Builder,
    combiners: Combiners,
    lengths: Sequence[Index],
    element: Element,
    outputs: OutputTile | None = None,
    *,
    target: Target = TARGETS["cpu"],
    dear: bool = False,
    spread: bool = False,
    loose: bool = False,
) -> Reduction:
    """Emits the reduction of `element` over `lengths` (row-major), for each of some outputs or for a single one.

    `dear` says that an element takes many operations, so that few vectors of them fill the processor; `spread` that
    nothing around the reduction is parallel, so that its chunks should be; `loose` that a maximum may miss NaN and take
    either zero, for whoever uses it finds the NaN itself.
    """
    if outputs is not None and outputs.size > 1:
        form: Reduction = TileReduction(b, combiners, lengths, element, outputs, 1 if dear else target.rows)
    else:
        form = RowReduction(b, combiners, lengths, element, target, dear=dear, spread=spread)
    form.loose = loose
    form.emit()
    return form


@dataclass(frozen=True)
class ReduceParameters:
    """`tile`: the outputs that are reduced at once where the operands run along them."""

    tile: int = 256


def schedule_reduce(b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters) -> None:
    """Tiles of outputs in parallel."""
    form = ReductionNest(b, op)
    size = tile_of(parameters.tile, max(t.bits for _, t in form.wide)) if form.is_along_outputs else 1
    dear = cost(op.body.block) >= DEAR
    spread = all(extent == 1 for extent in form.outer)

    def reduce(tile: OutputTile) -> None:
        def element(reduced: Sequence[Index], t: Index) -> Sequence[SSAValue]:
            return form.element([access.load(b, tile.at(t, *reduced)) for access in form.ins])

        combined = reduction(b, form.wide, form.inner, element, tile, target=target, dear=dear, spread=spread)
        with b.loop(0, tile.width, name="t", vector=True) as t:
            form.finish([combined.result(n, t) for n in range(len(form.wide))], tile.at(t))

    for_each_tile(b, form.outer, size, reduce)
