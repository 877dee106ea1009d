"""Reductions by the threads of a block, in the association of isa.md section 3.

A chunk's 128 accumulators lie among neighbouring threads: each has as many neighbours as a vector has, or one of each
part of the 128, whose halves it combines itself. Several chunks are under way at once. Accumulators meet in the block's
shared memory, where they combine by halving, and then the chunks pairwise.
What is longer than a group of chunks waits, group by group, for its partner in a binary counter of the first thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions.types import DType
from hologram.lowering.rewriting.kernel_builder import Index
from hologram.lowering.schedules.common.reduction_form import CHUNK, LANES, LEVELS, Combiners, Combining, Counter
from hologram.lowering.schedules.simt.launches import Launch
from hologram.lowering.schedules.simt.neighbours import bits_of, store_many

AT_ONCE = 16
"""The loads of a thread that are under way together, about."""
Values = list[SSAValue]
Load = Callable[[Index, int], Sequence[Sequence[SSAValue]]]
"""`(place, lanes) -> the neighbours from an element of the row on, for each combiner`."""


class BlockReduction(Combining):
    """Combines the values of a block's threads."""

    def not_empty(self, values: Sequence[SSAValue]) -> Values:
        """The results, of which float sums of nothing are +0."""
        b = self.b
        if isinstance(self.count, int) and self.count > 0:
            return list(values)
        sums = [kind is Kind.add and dtype.is_float for kind, dtype in self.combiners]
        if not any(sums):
            return list(values)
        zeros = [b.constant(0.0, c[1]) if s else v for v, c, s in zip(values, self.combiners, sums, strict=True)]
        return b.chosen(b.compare("eq", self.count, 0), lambda: zeros, lambda: values)

    def joined(self, x: Sequence[Values], y: Sequence[Values]) -> list[Values]:
        """Several values for each combiner."""
        rows = [self.join(left, right) for left, right in zip(zip(*x, strict=True), zip(*y, strict=True), strict=True)]
        return [list(values) for values in zip(*rows, strict=True)]

    def neighbours_joined(self, values: Sequence[Values]) -> Values:
        """A power of two of values, combined pairwise: the values of a combiner for each of them."""
        rows = list(values)
        while len(rows) > 1:
            rows = [self.join(rows[n], rows[n + 1]) for n in range(0, len(rows), 2)]
        return rows[0]


@dataclass
class Leaves:
    """Shared memory with the accumulators of `chunks` chunks, a power of two, by chunk and accumulator."""

    at: Launch
    reduction: BlockReduction
    chunks: int
    width: int = LANES
    """The accumulators of a chunk that meet here."""
    arrays: list[SSAValue] = field(init=False)

    def __post_init__(self) -> None:
        self.arrays = [self.at.shared(t.ir, self.chunks * self.width) for _, t in self.reduction.combiners]

    def load(self, place: Index) -> Values:
        """The values of one leaf."""
        return self.reduction.b.load_all(self.arrays, [place])

    def store(self, values: Sequence[SSAValue], place: Index) -> None:
        """Changes the values of one leaf."""
        self.reduction.b.store_all(values, self.arrays, [place])

    def store_lanes(self, values: Sequence[Sequence[SSAValue]], place: Index) -> None:
        """Changes the values of neighbouring leaves."""
        for array, neighbours in zip(self.arrays, values, strict=True):
            store_many(self.reduction.b, neighbours, array, [place])

    def _combine(self, place: Index, other: Index) -> None:
        self.store(self.reduction.join(self.load(place), self.load(other)), place)

    def halve(self) -> None:
        """Combines the accumulators of each chunk into its first."""
        b, at = self.reduction.b, self.at
        half = self.width // 2
        while half:
            at.barrier()
            with at.each(self.chunks * half, name="leaf") as number:
                place = b.add(b.mul(b.div(number, half), self.width), b.rem(number, half))
                self._combine(place, b.add(place, half))
            half //= 2

    def pair(self) -> None:
        """Combines the chunks, 2j with 2j + 1 and so on, into the first one."""
        b, at, step = self.reduction.b, self.at, 1
        while step < self.chunks:
            at.barrier()
            with at.each(self.chunks // (2 * step), name="chunk") as number:
                place = b.mul(number, 2 * step * self.width)
                self._combine(place, b.add(place, step * self.width))
            step *= 2


@dataclass(frozen=True)
class Chunks:
    """The shares of a block's threads in chunks: `lanes` neighbouring accumulators a thread in each of `parts` parts,
    `rounds` one after the other."""

    threads: int
    lanes: int
    rounds: int
    parts: int = 1

    @property
    def width(self) -> int:
        """The accumulators of a part."""
        return LANES // self.parts

    @property
    def team(self) -> int:
        """The threads that a chunk gets."""
        return self.width // self.lanes

    @property
    def at_once(self) -> int:
        """The chunks that the block adds up at the same time."""
        return self.threads // self.team

    @property
    def count(self) -> int:
        """The chunks of all rounds."""
        return self.at_once * self.rounds


def chunks_for(
    combiners: Combiners, threads: int, lanes: int, parts: int, shared_bytes: int, most: int
) -> Chunks | None:
    """The most chunks, up to `most`, whose accumulators have room in half of the shared memory; None if none have."""
    chunks = Chunks(threads, lanes, 1, parts)
    bytes = chunks.width * sum(bits_of(t.ir) // 8 for _, t in combiners)
    if chunks.count * bytes > shared_bytes // 2:
        return None
    rounds = 1
    while chunks.at_once * rounds * 2 <= most and chunks.at_once * rounds * 2 * bytes <= shared_bytes // 2:
        rounds *= 2
    return Chunks(threads, lanes, rounds, parts)


def add_chunk(
    reduction: BlockReduction,
    at: Launch,
    shape: Chunks,
    start: Index,
    end: Index,
    ready: SSAValue | bool,
    load: Load,
    at_once: int = 0,
) -> list[Values]:
    """Add up the thread's accumulators for the chunk at `start`, and combine those of its parts, of a row that has
    elements up to `end`; `ready` says whether vectors are aligned there; `at_once` are the loads that are under way
    together."""
    b, lanes = reduction.b, shape.lanes
    stop = b.min(b.add(start, CHUNK), end)
    length = b.sub(b.max(stop, start), start)
    loads = at_once or (AT_ONCE if lanes == 1 else AT_ONCE // 2) // len(reduction.combiners)
    adding = _Adding(
        reduction, shape, load,
        first=b.add(start, b.mul(b.rem(at.thread, shape.team), lanes)),
        stop=stop,
        whole=b.select(ready, b.div(length, LANES), 0),
        together=max(loads // shape.parts, 1),
        nothing=[v for v in reduction.identities() for _ in range(lanes * shape.parts)],
    )  # fmt: skip
    if shape.parts == 1:
        return adding.rows(adding.some())
    sums = adding.rows(b.chosen(b.compare("eq", length, CHUNK), adding.all, adding.some))
    while len(sums[0]) > lanes:
        half = len(sums[0]) // 2
        sums = reduction.joined([row[:half] for row in sums], [row[half:] for row in sums])
    return sums


@dataclass(frozen=True)
class _Adding:
    """A thread's way over a chunk: its accumulators are one list, those of each combiner after one another."""

    reduction: BlockReduction
    shape: Chunks
    load: Load
    first: Index
    """The thread's first element."""
    stop: Index
    whole: Index
    """What is there for all accumulators."""
    together: int
    """How many of them are loaded at once as long as they last."""
    nothing: Sequence[SSAValue]
    """What the accumulators begin with."""

    @property
    def size(self) -> int:
        """The accumulators of a combiner."""
        return self.shape.lanes * self.shape.parts

    def rows(self, values: Sequence[SSAValue]) -> list[Values]:
        """The accumulators by combiner."""
        return [list(values[n * self.size : (n + 1) * self.size]) for n in range(len(self.reduction.combiners))]

    def all(self) -> list[SSAValue]:
        """The accumulators of a chunk that has all its elements."""
        count = CHUNK // LANES // self.together
        return self.reduction.b.carried(0, count, self.nothing, self._step(self.together), name="batch")

    def some(self) -> list[SSAValue]:
        """The accumulators of a chunk that may end early."""
        b = self.reduction.b
        batches = b.div(self.whole, self.together)
        values = b.carried(0, batches, self.nothing, self._step(self.together), name="batch")
        values = b.carried(b.mul(batches, self.together), self.whole, values, self._step(1), name="step")
        sums = self.rows(values)
        for number in range(self.size):
            joined = self._rest(number, [row[number] for row in sums])
            for row, value in zip(sums, joined, strict=True):
                row[number] = value
        return [v for row in sums for v in row]

    def _rest(self, number: int, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """One accumulator, with what is there behind the elements that all have."""
        b = self.reduction.b
        part, lane = divmod(number, self.shape.lanes)
        place = b.add(b.add(self.first, b.mul(self.whole, LANES)), part * self.shape.width + lane)
        steps = b.ceildiv(b.sub(b.max(self.stop, place), place), LANES)

        def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            loaded = self.load(b.add(place, b.mul(number, LANES)), 1)
            return self.reduction.join(values, [row[0] for row in loaded])

        return b.carried(0, steps, values, step, name="step")

    def _step(self, count: int) -> Callable[[Index, Sequence[SSAValue]], Sequence[SSAValue]]:
        """An iteration that adds so many elements to each accumulator, all of which are loaded first."""
        b = self.reduction.b

        def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            base = b.add(self.first, b.mul(number, count * LANES))
            loaded = [self._all_parts(b.add(base, n * LANES)) for n in range(count)]
            sums = self.rows(values)
            for new in loaded:
                sums = self.reduction.joined(sums, new)
            return [v for row in sums for v in row]

        return step

    def _all_parts(self, place: Index) -> list[Values]:
        b, shape = self.reduction.b, self.shape
        parts = [self.load(b.add(place, part * shape.width), shape.lanes) for part in range(shape.parts)]
        return [[v for values in kind for v in values] for kind in zip(*parts, strict=True)]


def own_counter(reduction: BlockReduction, at: Launch) -> Counter:
    """An empty counter of this thread."""
    return Counter(reduction, [at.private(t.ir, LEVELS) for _, t in reduction.combiners])


def block_counter(reduction: BlockReduction, at: Launch) -> Counter:
    """An empty counter for a single thread of the block: some devices clear what is each thread's own, in memory."""
    return Counter(reduction, [at.shared(t.ir, LEVELS) for _, t in reduction.combiners])


def fits(combiners: Sequence[tuple[Kind, DType]]) -> bool:
    """Return whether values are what every device keeps in registers and shared memory."""
    return all(t.bits <= 64 for _, t in combiners)
