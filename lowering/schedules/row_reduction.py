"""The reduction of one output: its accumulators stay in vector registers over the elements of a chunk."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from hologram.dialects.memref import PrefetchOp
from hologram.lowering.llvm_types import byte_size
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.lanes import halve
from hologram.lowering.schedules.reduction_form import CHUNK, LANES, LEVELS, Combiners, Element, Reduction

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
        if not self.ordered and widest > WIDEST_LANE:
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
        """What the chunks from `first` to `last` combine to, by way of slots on the stack."""
        b, sums = self.b, self._accumulators()
        slots = [b.alloca(t.ir, LEVELS) for _, t in self.combiners]

        def waiting(level: Index) -> list[SSAValue]:
            return [b.load(slot, [level]) for slot in slots]

        with b.loop(first, last, name="chunk") as chunk:
            start = b.mul(chunk, CHUNK)
            values = self._chunk(sums, start, b.min(b.add(start, CHUNK), self.count))
            level, values = self.while_bits(
                b.sub(chunk, first), values, lambda bit, more: bit, lambda level, bit, v: self.join(waiting(level), v)
            )
            for slot, value in zip(slots, values, strict=True):
                b.store(value, slot, [level])

        def fold(level: Index, bit: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return b.chosen(bit, lambda: self.join(waiting(level), values), lambda: values)

        return self.while_bits(b.sub(last, first), self.identities(), lambda bit, more: more, fold)[1]

    def _spread(self) -> list[SSAValue]:
        """Runs of chunks in parallel, a power of two each; their results combine in a loop over neighbours."""
        b = self.b
        chunks = b.ceildiv(self.count, CHUNK)
        run = self._run_length(chunks)
        tasks = b.div(b.sub(b.add(chunks, run), 1), run)
        results = [b.alloca(t.ir, TASKS) for _, t in self.combiners]
        with b.parallel([tasks], name="task") as (task,):
            first = b.mul(task, run)
            values = self._chunks(first, b.min(b.add(first, run), chunks))
            for array, value in zip(results, values, strict=True):
                b.store(value, array, [task])
        self._pairs(results, tasks)
        # Of no elements there is no task.
        none = b.compare("eq", tasks, 0)
        return b.chosen(none, self.identities, lambda: [b.load(array, [0]) for array in results])

    def _run_length(self, chunks: Index) -> Index:
        """The least power of two so that `TASKS` runs of so many chunks are enough."""
        b = self.b
        if isinstance(chunks, int):
            return 1 << max(-(-chunks // TASKS) - 1, 0).bit_length()
        needed = b.ceildiv(chunks, TASKS)
        return b.carried_while(
            [b.index(1)],
            lambda values: b.compare("ult", values[0], needed),
            lambda values: [b.index(b.mul(values[0], 2))],
        )[0]

    def _pairs(self, results: Sequence[SSAValue], count: Index) -> None:
        """Combines 2j with 2j + 1 in place, repeatedly; the last one without a partner moves on as it is."""
        b = self.b

        def load(place: Index) -> list[SSAValue]:
            return [b.load(array, [place]) for array in results]

        def store(values: Sequence[SSAValue], place: Index) -> None:
            for array, value in zip(results, values, strict=True):
                b.store(value, array, [place])

        def halved(values: Sequence[SSAValue]) -> list[SSAValue]:
            (left,) = values
            half = b.div(left, 2)
            with b.loop(0, half, name="pair") as j:
                store(self.join(load(b.mul(j, 2)), load(b.add(b.mul(j, 2), 1))), j)
            odd = b.rem(left, 2)
            with b.when(b.compare("ne", odd, 0)):
                store(load(b.sub(left, 1)), half)
            return [b.index(b.add(half, odd))]

        b.carried_while([b.index(count)], lambda values: b.compare("ugt", values[0], 1), halved)

    # One chunk

    def _accumulators(self) -> list[SSAValue]:
        return [self.b.alloca(t.ir, self.lanes) for _, t in self.combiners]

    def _chunk(self, sums: Sequence[SSAValue], start: Index, end: Index) -> list[SSAValue]:
        """What the elements from `start` (a multiple of the lanes) to `end` of the reduced index combine to."""
        b = self.b
        if not self.outer:
            self._run([], start, end, sums)
        else:
            with b.loop(0, self.lanes, name="l", vector=True) as lane:
                self._store(sums, lane, self.identities())
            if self.ordered:
                self._rows(sums, start, end)
            else:
                with b.loops(self.outer, name="r") as outer:
                    self._run(outer, 0, self.inner, sums, fresh=False)
        return [
            halve(b, kind, dtype, array, self.lanes, self.target.vector_bytes, loose=self.loose)
            for (kind, dtype), array in zip(self.combiners, sums, strict=True)
        ]

    def _load(self, sums: Sequence[SSAValue], lane: Index) -> list[SSAValue]:
        return [self.b.load(array, [lane]) for array in sums]

    def _store(self, sums: Sequence[SSAValue], lane: Index, values: Sequence[SSAValue]) -> None:
        for array, value in zip(sums, values, strict=True):
            self.b.store(value, array, [lane])

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
                self._store(sums, lane, self.identities() if fresh else self._load(sums, lane))
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

                first = self.identities() if fresh else self._load(sums, lane)
                # Unrolled, all prefetches would stand in front.
                self._store(sums, lane, b.carried(0, groups, first, add, name="g", as_it_is=ahead))

        b.choose(self._is_far(), lambda: full(ahead=True), lambda: full(ahead=False))

    def _is_far(self) -> SSAValue | bool:
        """Whether this is a line of cheap elements that comes from memory: then LLVM's loads alone leave it idle."""
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
            *outer, last = load.indices
            ahead = b.add(last, AHEAD // (byte_size(load.res.type) or 1))
            b.rw.emit(PrefetchOp(load.memref, [*outer, b.index(ahead)], locality=1))

    def _add(self, sums: Sequence[SSAValue], lane: Index, indices: Sequence[Index]) -> None:
        """Combines an element with an accumulator in memory."""
        self._store(sums, lane, self.join(self._load(sums, lane), self.element(indices, 0)))

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


__all__ = ["TASKS", "RowReduction"]
