"""Rows for devices: a block a row, which is read once and kept in the block's shared memory, or in registers.

A row that has no room in shared memory is read again instead, by the same code, so the bits are the same.

A block holds rows of the usual lengths in registers. They have an element for each place, so that no load waits for a
branch. Where threads load vectors, such a row lies in shared memory as well while it is added up: a thread for each
accumulator of a chunk walks down its elements, in the order of the ISA. Elsewhere a thread holds just those elements.

`Quotients` gives quotients of deviations by the standard deviation, correctly rounded without a division each.

With r = 1 / d rounded, q = x * r and twice q = q + (x - q * d) * r, in fused steps, gives x / d as it is rounded where
nothing overflows or loses digits near 0 (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000
processor", IBM J. Res. Dev. 34 (1990): the last step is right if q is within a unit in the last place of x / d).
Divisors beyond the bounds, and numbers that are too small or zero, are divided. No number is too large: n of them have
squares that add up to n times the divisor's, and sums of squares are not rounded below any of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, element_type, identity
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import DTYPES, DType, widened
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import Access, Nest, OuterFirst
from hologram.lowering.schedules.common.reduction_form import CHUNK, LANES, combine, halved
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.simt.block_reduction import (
    BlockReduction,
    Chunks,
    Leaves,
    Values,
    add_chunk,
    block_counter,
    own_counter,
)
from hologram.lowering.schedules.simt.lane_columns import SUM_THREADS, add_up, whole_rows
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.neighbours import (
    aligned,
    bits_of,
    by_vectors,
    in_vectors,
    lanes_of,
    load_group,
    load_many,
    store_group,
    store_many,
)

DIVISORS = 1e-10, 1e10
"""Of f32: where the reciprocal, and products with it, keep their digits."""
NUMBERS = 1e-20
"""Of f32: above it what is left of them after a step keeps its digits; up to 1e20 nothing overflows."""


class Quotients:
    """Quotients by one divisor, of f32: of numbers that are at most 1e10 times as large."""

    def __init__(self, b: Builder, dtype: DType, divisor: SSAValue):
        self.b, self.dtype, self.divisor = b, dtype, divisor
        self.reciprocal = b.of(dtype).div(1.0, divisor)
        low, high = DIVISORS
        self.usual = b.both(self._compared(divisor, "ogt", low), self._compared(divisor, "olt", high))

    def _compared(self, value: SSAValue, predicate: str, bound: float) -> SSAValue:
        return self.b.core.compare(predicate, value, self.b.constant(bound, self.dtype))

    def of(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """All of them."""
        b = self.b
        sizes = [b.op(scalar.AbsOp(self.dtype, x)) for x in values]
        least = sizes[0]
        for size in sizes[1:]:  # NaN is passed over: it comes out of the products too.
            least = b.op(arith.MinnumfOp(least, size))
        usual = b.both(self.usual, self._compared(least, "ogt", NUMBERS))
        return b.chosen(
            usual,
            lambda: [self._product(x) for x in values],
            lambda: [b.of(self.dtype).div(x, self.divisor) for x in values],
        )

    def _product(self, x: SSAValue) -> SSAValue:
        b, dtype, r = self.b, self.dtype, self.reciprocal
        quotient = b.of(dtype).mul(x, r)
        for _ in range(2):
            rest = b.of(dtype).apply("fma", b.of(dtype).negate(quotient), self.divisor, x)
            quotient = b.of(dtype).apply("fma", rest, r, quotient)
        return quotient


AT_ONCE = 8
"""The elements that a thread adds up without a branch between them."""
Elements = Callable[[SSAValue], SSAValue]
"""What becomes of each element of the row."""
LoadNeighbours = Callable[[Index, int], list[SSAValue]]
"""`(place, lanes) -> the neighbours from a place on`."""
FoldStep = Callable[[Index, int, list[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]]
"""`(place, lanes, neighbours, values that are carried along) -> the next values`."""


@dataclass(frozen=True)
class RowParameters:
    """`elements`: the longest row that is kept, where it has room; `vectors`: those that a thread loads at once;
    `threads`: those of a block for rows of more than a chunk, up to what the device has."""

    elements: int = 8192
    vectors: int = 4
    threads: int = 256


@dataclass
class Rows(OuterFirst):
    """All rows: the accesses are x, the out, and what else has an element for each place of a row."""

    b: Builder
    target: Target
    parameters: RowParameters
    nest: Nest
    parallel: int
    dtype: DType

    @property
    def wide(self) -> DType:
        return widened(self.dtype)

    @property
    def threads(self) -> int:
        """The threads of a block: at least one for each accumulator of a chunk."""
        return max(min(self.parameters.threads, self.target.threads), LANES)

    @cached_property
    def length(self) -> Index:
        """The elements of a row."""
        return self.b.product(self.inner)

    @cached_property
    def lanes(self) -> int:
        """The elements of a vector that a thread of a block loads; threads that are lanes have rows of their own."""
        return 1 if self.target.has_lanes else self.wide_lanes

    @cached_property
    def wide_lanes(self) -> int:
        """The elements of a vector."""
        access = self.nest.accesses
        plain = len(self.inner) == 1 and len(by_vectors(access, self.parallel)) == len(access)
        if not plain or self.target.access_bytes < 16:
            return 1
        widest = max(self.wide.bits, *(bits_of(element_type(a.value.type)) for a in access))
        return lanes_of(widest, self.target.access_bytes)

    @cached_property
    def count(self) -> SSAValue:
        """The length of a row as a float; to be asked for where the host still computes it."""
        return self.b.cvt(DTYPES["i64"], self.wide, self.b.index_as(self.length, i64))

    def emit(self, code: Callable[[RepeatedRow], None], beyond: int = 0) -> None:
        """The launches, of which one runs: with rows kept, or not. They have more than `beyond` elements."""
        if self.target.has_lanes and self.wide_lanes > 1:
            by_lanes(self, code, lambda: self._blocks(code, beyond))
        else:
            self._blocks(code, beyond)

    def _blocks(self, code: Callable[[RepeatedRow], None], beyond: int) -> None:
        """The launches with a block a row."""
        b, size = self.b, self.wide.bits // 8
        # The accumulators of two chunks, and a value of each thread.
        room = (self.target.shared_bytes - (2 * LANES + self.threads) * size) // size
        most = min(self.parameters.elements, room, 2 * CHUNK) // self.lanes * self.lanes
        ready: SSAValue | bool = self.lanes == 1
        if self.lanes > 1:
            ready = in_vectors(b, self.nest.accesses, self.length, self.lanes, self.target.access_bytes)

        def longer() -> None:
            b.choose(
                b.at_most(self.length, most),
                lambda: self._launch(code, ready, self._kept(most)),
                lambda: self._launch(code, ready, 0),
            )

        if most <= CHUNK or beyond >= CHUNK:
            longer()
        else:
            b.choose(b.at_most(self.length, CHUNK), lambda: self._launch(code, ready, self._kept(CHUNK)), longer)

    def _kept(self, most: int) -> int:
        """The elements that shared memory is for, of rows of up to `most`."""
        return min(most, self.length) if isinstance(self.length, int) else most

    def _launch(self, code: Callable[[RepeatedRow], None], ready: SSAValue | bool, kept: int) -> None:
        b, rows = self.b, self.b.product(self.outer)
        # A thread an accumulator, where there is a single chunk: the others would have nothing to add up.
        chunks, threads = (1, LANES) if 0 < kept <= CHUNK else (2, self.threads)
        with launch(b, self.target, rows, threads, keep_reads=True) as at:
            array = at.shared(self.wide.ir, -(-kept // self.lanes) * self.lanes) if kept else None
            reduction = BlockReduction(b, [(Kind.add, self.wide)], self.length)
            leaves = Leaves(at, reduction, chunks)
            slots = at.shared(self.wide.ir, threads)
            with at.shares(rows, name="row") as number:
                code(BlockRow(self, at, b.split(number, self.outer), array, ready, leaves, slots))
                at.barrier()


@dataclass
class Row:
    """The row that a block is at."""

    rows: Rows
    at: Launch
    outer: Sequence[Index]
    b: Builder = field(init=False)
    wide: DType = field(init=False)
    length: Index = field(init=False)

    def __post_init__(self) -> None:
        self.b, self.wide, self.length = self.rows.b, self.rows.wide, self.rows.length

    # Elements

    def _dims(self, access: Access, place: Index) -> list[Index]:
        return [*self.outer, *self.b.split(place, self.rows.inner)]

    def load(self, number: int, place: Index, lanes: int) -> list[SSAValue]:
        """Neighbours of an operand, widened."""
        access = self.rows.nest.accesses[number]
        loaded = load_group(self.b, access, self._dims(access, place), self.rows.parallel, lanes)
        return [self.b.cvt(self.rows.dtype, self.wide, v) for v in loaded]

    def store(self, values: Sequence[SSAValue], place: Index) -> None:
        """Stores neighbours of the out."""
        access = self.rows.nest.accesses[1]
        narrow = [self.b.cvt(self.wide, self.rows.dtype, v) for v in values]
        store_group(self.b, access, narrow, self._dims(access, place), self.rows.parallel)

    def divided_by(self, divisor: SSAValue) -> Callable[[Sequence[SSAValue]], list[SSAValue]]:
        """Return what divides numbers: by the reciprocal where that is exact and faster."""
        b, wide = self.b, self.wide
        if self.rows.target.has_fast_reciprocal and wide.bits == 32:
            return Quotients(b, wide, divisor).of
        return lambda values: [b.of(wide).div(x, divisor) for x in values]


@dataclass
class RepeatedRow(Row, ABC):
    """A row that is walked over several times."""

    array: SSAValue | None
    """What keeps the row; where there is none it is read again and again."""

    @abstractmethod
    def fold(self, start: Sequence[SSAValue], step: FoldStep, load: LoadNeighbours) -> list[SSAValue]:
        """Do as `each` does, with values that a thread carries along."""

    @abstractmethod
    def greatest(self, value: SSAValue) -> SSAValue:
        """The greatest of the threads' values, where a NaN may be missed."""

    @abstractmethod
    def sum(self, element: Elements) -> SSAValue:
        """The sum of what becomes of each element, in the association of the ISA."""

    def kept(self, place: Index, lanes: int = 1) -> list[SSAValue]:
        """Neighbours of what is kept of the row; of the row itself where nothing is."""
        if self.array is None:
            return self.load(0, place, lanes)
        return load_many(self.b, self.array, [place], lanes)

    def keep(self, values: Sequence[SSAValue], place: Index) -> None:
        """Keeps neighbours, if anything is kept."""
        if self.array is not None:
            store_many(self.b, values, self.array, [place])

    # Loops

    def read(self) -> None:
        """Keeps the row, if anything is kept."""
        if self.array is not None:
            self.each(lambda place, _, found: self.keep(found, place), lambda place, lanes: self.load(0, place, lanes))
            self.at.barrier()

    def write(self, operands: Sequence[int], compute: Callable[..., list[SSAValue]]) -> None:
        """Stores `compute(elements, those of an operand, ...)` for all elements."""

        def step(place: Index, lanes: int, elements: list[SSAValue]) -> None:
            self.store(compute(elements, *(self.load(number, place, lanes) for number in operands)), place)

        self.each(step, self.kept)

    def each(self, step: Callable[[Index, int, list[SSAValue]], None], load: LoadNeighbours) -> None:
        """`step(place, lanes, load(place, lanes))` for all places, several loads of a thread before its first step."""
        self.fold([], lambda place, lanes, found, values: step(place, lanes, found) or values, load)


@dataclass
class BlockRow(RepeatedRow):
    """A row of a block, in shared memory where that has room."""

    ready: SSAValue | bool
    """Whether all of it is aligned vectors."""
    leaves: Leaves
    slots: SSAValue
    """Shared memory for a value of each thread."""

    def fold(self, start: Sequence[SSAValue], step: FoldStep, load: LoadNeighbours) -> list[SSAValue]:
        if isinstance(self.ready, bool):
            return self._loop(start, self.rows.lanes, step, load)
        wide, narrow = (partial(self._loop, start, lanes, step, load) for lanes in (self.rows.lanes, 1))
        return self.b.chosen(self.ready, wide, narrow)

    def _loop(self, start: Sequence[SSAValue], lanes: int, step: FoldStep, load: LoadNeighbours) -> list[SSAValue]:
        b, threads = self.b, self.at.threads
        together = self.rows.parameters.vectors
        stride = threads * lanes
        first = b.mul(self.at.thread, lanes)
        batches = b.div(self.length, stride * together)

        def batch(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            base = b.add(first, b.mul(number, stride * together))
            places = [b.add(base, n * stride) for n in range(together)]
            loaded = [load(place, lanes) for place in places]
            for place, elements in zip(places, loaded, strict=True):
                values = step(place, lanes, elements, values)
            return values

        def single(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            place = b.add(first, b.mul(number, stride))
            return step(place, lanes, load(place, lanes), values)

        values = b.carried(0, batches, start, batch, name="batch")
        done = b.mul(batches, together)
        place = b.add(first, b.mul(done, stride))
        more = b.div(b.add(b.sub(b.max(self.length, place), place), stride - 1), stride)
        return b.carried(done, b.add(done, more), values, single, name="step")

    # Reductions

    def greatest(self, value: SSAValue) -> SSAValue:
        b, at = self.b, self.at
        b.store(value, self.slots, [at.thread])

        def join(mine: Index, other: Index) -> None:
            x, y = (b.load(self.slots, [place]) for place in (mine, other))
            b.store(combine(b, Kind.max_nan, self.wide, x, y, loose=True), self.slots, [mine])

        at.halve(at.threads, join)
        return b.load(self.slots, [0])

    def sum(self, element: Elements) -> SSAValue:
        b, at, leaves = self.b, self.at, self.leaves
        shape = Chunks(at.threads, 1, max(leaves.chunks * LANES // at.threads, 1))
        reduction = leaves.reduction

        def load(place: Index, lanes: int) -> list[list[SSAValue]]:
            return [[element(self.kept(place)[0])]]

        def group(number: Index) -> None:
            for turn in range(shape.rounds):
                chunk = b.add(b.div(at.thread, shape.team), turn * shape.at_once)
                start = b.mul(b.add(b.mul(number, leaves.chunks), chunk), CHUNK)
                sums = add_chunk(reduction, at, shape, start, self.length, True, load, AT_ONCE)
                leaves.store_lanes(sums, b.add(b.mul(chunk, LANES), b.rem(at.thread, shape.team)))
            leaves.halve()
            leaves.pair()
            at.barrier()

        if self.array is not None:
            group(0)
        else:
            counter = block_counter(reduction, at)
            groups = b.ceildiv(self.length, leaves.chunks * CHUNK)
            with b.loop(0, groups, name="group") as number:
                group(number)
                with at.only(1):
                    counter.push(number, leaves.load(0))
                at.barrier()
            with at.only(1):
                leaves.store(counter.total(groups), 0)
            at.barrier()
        (total,) = leaves.load(0)
        at.barrier()
        return total


FEWEST, LONGEST = 64, 1 << 18
"""The rows that there are at least where each is one thread's, and their elements at most: the driver of one such
processor ends a thread's loops after 65,535 iterations."""
UNROLLED = 4
"""The vectors that a thread loads in an iteration; rows have whole steps of accumulators, so of these too."""
WEIGHTED = 2
"""The same where each vector has operands of its own, for which there would be no registers otherwise: the line of a
cache."""


def by_lanes(rows: Rows, code: Callable[[RepeatedRow], None], otherwise: Callable[[], None]) -> None:
    """The launch with a thread a row, if there are many rows of whole vectors; else what others do."""
    b, count, lanes = rows.b, rows.b.product(rows.outer), rows.wide_lanes
    vectors = in_vectors(b, rows.nest.accesses, rows.length, lanes, rows.target.access_bytes)
    sizes = b.both(whole_rows(b, rows.length), b.at_most(rows.length, LONGEST))
    ready = b.both(b.both(vectors, sizes), b.at_most(FEWEST, count))

    def launches() -> None:
        with launch(b, rows.target, b.ceildiv(count, SUM_THREADS), SUM_THREADS) as at, at.own(count) as number:
            code(LaneRow(rows, at, b.split(number, rows.outer), None))

    b.choose(ready, launches, otherwise)


@dataclass
class LaneRow(RepeatedRow):
    """A row that is all one thread's."""

    def fold(self, start: Sequence[SSAValue], step: FoldStep, load: LoadNeighbours) -> list[SSAValue]:
        b, lanes = self.b, self.rows.wide_lanes

        def vectors(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            places = [b.mul(b.add(b.mul(number, UNROLLED), n), lanes) for n in range(UNROLLED)]
            # All loads before what steps store: lanes whose rows begin with their pages share few places of a cache.
            loaded = [load(place, lanes) for place in places]
            for place, elements in zip(places, loaded, strict=True):
                values = step(place, lanes, elements, values)
            return values

        return b.carried(0, b.div(self.length, UNROLLED * lanes), start, vectors, name="vectors")

    def write(self, operands: Sequence[int], compute: Callable[..., list[SSAValue]]) -> None:
        if not operands:
            return super().write(operands, compute)

        b, lanes = self.b, self.rows.wide_lanes
        with b.loop(0, b.div(self.length, WEIGHTED * lanes), name="vectors") as number:
            places = [b.mul(b.add(b.mul(number, WEIGHTED), n), lanes) for n in range(WEIGHTED)]
            loaded = [self.load(0, place, lanes) for place in places]
            for place, elements in zip(places, loaded, strict=True):
                self.store(compute(elements, *(self.load(n, place, lanes) for n in operands)), place)

    def greatest(self, value: SSAValue) -> SSAValue:
        return value

    def sum(self, element: Elements) -> SSAValue:
        b, reduction = self.b, BlockReduction(self.b, [(Kind.add, self.wide)], self.length)

        def load(place: Index, lanes: int) -> list[list[SSAValue]]:
            return [[element(x) for x in self.kept(place, lanes)]]

        def chunk(number: Index) -> Values:
            start = b.mul(number, CHUNK)
            steps = b.div(b.min(b.sub(self.length, start), CHUNK), LANES)
            return add_up(reduction, start, steps, self.rows.wide_lanes, load)

        if isinstance(self.length, int) and self.length <= CHUNK:
            return chunk(0)[0]
        counter, chunks = own_counter(reduction, self.at), b.ceildiv(self.length, CHUNK)
        with b.loop(0, chunks, name="chunk") as number:
            counter.push(number, chunk(number))
        return counter.total(chunks)[0]


CACHED_LENGTHS = (1024, 2048, 4096)
"""The lengths of rows that are cached, up to a chunk."""
FEW = 16
"""The values that are left when all threads combine what there is."""
STORED_AT_ONCE = 4
"""The elements of a row for which a thread has other operands and stores at a time, at least a vector."""
REGISTERS = 65536
"""Those of a multiprocessor of CUDA, which its blocks share: a thread gets them in eights."""
Scale = Callable[[Sequence[SSAValue]], Values]


@dataclass(frozen=True)
class CachedRowParameters(RowParameters):
    """`threads`: those of a block that caches a row too, a power of two; `resident`: how many such blocks a
    multiprocessor of CUDA has at a time; `quotients`: those that a thread computes together."""

    resident: int = 5
    quotients: int = 8


def cached_rows(
    rows: Rows, parameters: CachedRowParameters, code: Callable[[CachedRow], None], otherwise: Callable[[], None]
) -> None:
    """The launches, of which one runs: for rows of each length that is cached, and `otherwise` for all others."""
    b, size = rows.b, rows.wide.bits // 8
    if rows.target.has_lanes:
        return otherwise()
    kept = rows.lanes > 1
    ready = aligned(b, [a.value for a in rows.nest.accesses], rows.target.access_bytes) if kept else True
    lengths = [n for n in CACHED_LENGTHS if (n * kept + parameters.threads + FEW) * size <= rows.target.shared_bytes]

    def by_length(number: int) -> None:
        if number == len(lengths):
            return otherwise()
        this, length = lengths[number], rows.length
        equal = length == this if isinstance(length, int) else b.compare("eq", length, this)
        b.choose(b.both(equal, ready), lambda: _launch(rows, parameters, this, code), lambda: by_length(number + 1))

    by_length(0)


def _launch(rows: Rows, parameters: CachedRowParameters, length: int, code: Callable[[CachedRow], None]) -> None:
    b, count, resident = rows.b, rows.b.product(rows.outer), parameters.resident
    threads = _threads(rows, parameters, length)
    # Values of 64 bits take twice the registers, and more than what that leaves.
    narrow = rows.wide.bits == 32 and rows.lanes > 1
    registers = REGISTERS // (resident * threads) // 8 * 8 if narrow else 0
    with launch(
        b, rows.target, count, threads, resident=resident if narrow else 0, registers=registers, keep_reads=True
    ) as at:
        row = at.shared(rows.wide.ir, length) if rows.lanes > 1 else None
        slots, few = (at.shared(rows.wide.ir, n) for n in (threads, FEW))
        with at.shares(count, name="row") as number:
            code(CachedRow(rows, at, b.split(number, rows.outer), length, parameters.quotients, row, slots, few))


def _threads(rows: Rows, parameters: CachedRowParameters, length: int) -> int:
    """The threads of a block that holds a row: one for each accumulator at least, no more than there are vectors; where
    there are no vectors, as many as there are accumulators."""
    if rows.lanes == 1:
        return LANES
    most = rows.target.most_threads or rows.target.threads
    wanted = min(parameters.threads, most, length // rows.lanes)
    return max(1 << wanted.bit_length() - 1, LANES)


@dataclass
class CachedRow(Row):
    """A row whose vectors the threads of a block hold."""

    elements: int
    quotients: int
    """Those that a thread computes together, at least a vector."""
    row: SSAValue | None
    """Shared memory for the row; where there is none a thread has the elements of an accumulator."""
    slots: SSAValue
    """Shared memory for a value of each thread."""
    few: SSAValue
    """Shared memory for what is left of them."""
    places: list[Index] = field(init=False)
    vectors: list[Values] = field(init=False)
    """What the thread holds, and where it is."""

    def read(self) -> None:
        """Loads the row."""
        b, at, lanes = self.b, self.at, self.rows.lanes
        first = b.mul(at.thread, lanes)
        self.places = [b.add(first, n) for n in range(0, self.elements, at.threads * lanes)]
        self.vectors = [self.load(0, place, lanes) for place in self.places]

    def replace(self, element: Callable[[SSAValue], SSAValue]) -> None:
        """Puts what becomes of each element in its place."""
        self.vectors = [[element(x) for x in values] for values in self.vectors]

    def share(self) -> None:
        """Puts the elements where those find them who add them up."""
        if self.row is not None:
            for place, values in zip(self.places, self.vectors, strict=True):
                store_many(self.b, values, self.row, [place])
            self.at.barrier()

    def sum(self, element: Callable[[SSAValue], SSAValue]) -> SSAValue:
        """The sum of what becomes of the elements that were shared, in the association of the ISA."""
        b, at, wide = self.b, self.at, self.wide
        with at.only(LANES):
            total = b.constant(identity(Kind.add, wide), wide)
            for n in range(0, self.elements, LANES):
                (x,) = self.vectors[n // LANES] if self.row is None else [b.load(self.row, [b.add(at.thread, n)])]
                total = combine(b, Kind.add, wide, total, element(x))
            b.store(total, self.slots, [at.thread])
        return self._combined(Kind.add, LANES)

    def greatest(self) -> SSAValue:
        """The greatest element, where a NaN may be missed."""
        mine = self._halved(Kind.max_nan, [x for values in self.vectors for x in values])
        self.b.store(mine, self.slots, [self.at.thread])
        return self._combined(Kind.max_nan, self.at.threads)

    def _combined(self, kind: Kind, count: int) -> SSAValue:
        """Combine the values of the first threads, by halving, for every thread. What was asked for before may
        be overwritten: nobody reads it behind a barrier of this one."""
        b, at = self.b, self.at
        at.barrier()
        with at.only(FEW):
            values = [b.load(self.slots, [b.add(at.thread, n)]) for n in range(0, count, FEW)]
            b.store(self._halved(kind, values), self.few, [at.thread])
        at.barrier()
        return self._halved(kind, [b.load(self.few, [n]) for n in range(FEW)])

    def _halved(self, kind: Kind, values: Sequence[SSAValue]) -> SSAValue:
        return halved(self.b, kind, self.wide, values, loose=kind is Kind.max_nan)

    def write(self, operands: Sequence[int], scale: Scale, scaled: Callable[..., SSAValue]) -> None:
        """Stores `scaled(value, that of an operand, ...)` for what `scale` makes of all elements, several at a time."""
        lanes = self.rows.lanes
        together, stored = (max(n // lanes, 1) for n in (self.quotients, STORED_AT_ONCE))
        for start in range(0, len(self.places), together):
            places = self.places[start : start + together]
            results = scale([x for values in self.vectors[start : start + together] for x in values])
            vectors = [results[n : n + lanes] for n in range(0, len(results), lanes)]
            for first in range(0, len(places), stored):
                span = slice(first, first + stored)
                # Other operands are loaded before any of these is stored.
                others = [[self.load(n, place, lanes) for n in operands] for place in places[span]]
                for place, vector, given in zip(places[span], vectors[span], others, strict=True):
                    self.store([scaled(*values) for values in zip(vector, *given, strict=True)], place)
