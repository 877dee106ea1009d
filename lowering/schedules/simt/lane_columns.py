"""Reductions of neighbouring outputs where threads are lanes of a processor: a thread has columns of its own.

It takes the accumulators of a chunk in the order in which they combine by halving: 0 and 64, 32 and 96, and so on. Each
halving is a loop around the next one, so that what waits for its partner is in registers. The accumulators of long
columns are added up before, along the rows.

Reductions for processors that run threads as lanes of their vectors: a thread has all accumulators of a chunk.

Nothing is shared and nobody waits, so all lanes of a vector go the same way; what they load at once are neighbours of
one thread, since such processors go through memory lane by lane. Rows have whole steps of accumulators, and begin at
multiples of what is loaded at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import BlockReduction, Load, Values, own_counter
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import load_many, store_many
from hologram.lowering.schedules.simt.reduced import Reduced

THREADS = 8
"""Those of a block."""
VECTORS = 8
"""The vectors of a row that a thread has."""
SHORT = 4 * LANES
"""The elements of columns whose accumulators are added up where they combine, at most."""
RUN, ROWS = 64, 8
"""The vectors of a row that a thread adds to accumulators, at most, and of how many rows at a time. Rows of no more
vectors are no streams: they are added up in registers."""

Keep = Callable[[Values, Index, Index, Sequence[Index]], None]
"""`keep(values of an output, chunk, row of outputs, indices of the output)`."""


def whole_columns(form: Reduced, lanes: int) -> SSAValue | bool:
    """On the host: whether rows of outputs are whole pieces of a thread."""
    ready = form.ready(form.parallel - 1, lanes)
    return form.b.both(ready, form.b.is_multiple(form.outer[-1], lanes * VECTORS))


def reduce_pieces(form: Reduced, lanes: int, chunks: Index, keep: Keep) -> None:
    """Reduces pieces of a row of outputs over a chunk each; accumulators of long columns have a launch before it."""
    b = form.b
    chunks = b.max(chunks, 1)

    def short() -> None:
        def accumulator(piece: _Piece, number: Index) -> Sequence[SSAValue]:
            adding = _Adding.of(form, lanes, piece.chunk, number)
            return adding.all(piece.reduction, adding.steps, [[*piece.outer, c] for c in piece.columns])

        _combine(form, lanes, chunks, accumulator, keep)

    def long() -> None:
        (_, dtype), of_chunk = form.wide[0], b.mul(form.rows, LANES)
        array = b.alloc(dtype.ir, [b.mul(of_chunk, chunks)])
        _add_up(form, lanes, chunks, array)

        def accumulator(piece: _Piece, number: Index) -> Sequence[SSAValue]:
            place = b.add(b.mul(piece.chunk, of_chunk), b.mul(number, form.rows))
            place = b.add(place, b.mul(piece.row, form.outer[-1]))
            return [value for c in piece.columns for value in load_many(b, array, [b.add(place, c)], lanes)]

        _combine(form, lanes, chunks, accumulator, keep)
        b.free(array)

    b.choose(b.at_most(form.count, SHORT), short, long)


def _add_up(form: Reduced, lanes: int, chunks: Index, array: SSAValue) -> None:
    """The launch that stores what accumulators add up to. The threads of a block go side by side along several rows:
    few long streams through memory, which the processor reads ahead."""
    b = form.b
    vectors = b.div(form.outer[-1], lanes)
    runs = b.ceildiv(vectors, RUN * THREADS)
    of_accumulator = b.mul(b.product(form.outer[:-1]), runs)
    count = b.mul(of_accumulator, b.mul(chunks, LANES))
    with launch(b, form.target, count, THREADS) as at, at.shares(count, name="run") as number:
        accumulator, run = b.div(number, of_accumulator), b.rem(number, of_accumulator)
        row, run = b.div(run, runs), b.rem(run, runs)
        base = b.add(b.mul(accumulator, form.rows), b.mul(row, form.outer[-1]))
        outer = b.split(row, form.outer[:-1])
        begin = b.mul(run, RUN * THREADS)
        end = b.min(b.add(begin, RUN * THREADS), vectors)
        adding = _Adding.of(form, lanes, b.div(accumulator, LANES), b.rem(accumulator, LANES))
        reduction = BlockReduction(b, [c for c in form.wide for _ in range(lanes)], form.count)

        def along(add: Callable[[Sequence[Index], Index], Sequence[SSAValue]]) -> None:
            with b.loop(b.add(begin, at.thread), end, THREADS, name="vector") as vector:
                column = b.mul(vector, lanes)
                place = b.add(base, column)
                store_many(b, add([*outer, column], place), array, [place])

        # So many first that whole groups of rows are left, which are unrolled.
        groups = b.select(b.at_most(vectors, RUN), 0, b.div(b.sub(b.max(adding.steps, 1), 1), ROWS))
        first = b.sub(adding.steps, b.mul(groups, ROWS))
        along(lambda dims, place: adding.all(reduction, first, [dims]))

        def group(dims: Sequence[Index], place: Index, start: Index) -> Sequence[SSAValue]:
            values: Sequence[SSAValue] = load_many(b, array, [place], lanes)
            for n in range(ROWS):
                values = reduction.join(values, adding.elements(b.add(start, n), [dims]))
            return values

        with b.loop(0, groups, name="group") as number:
            start = b.add(first, b.mul(number, ROWS))
            along(lambda dims, place: group(dims, place, start))


@dataclass(frozen=True)
class _Adding:
    """The elements of an accumulator of a chunk."""

    form: Reduced
    lanes: int
    first: Index
    """The first of them."""
    steps: Index
    """How many there are."""

    @staticmethod
    def of(form: Reduced, lanes: int, chunk: Index, number: Index) -> _Adding:
        b = form.b
        start = b.mul(chunk, CHUNK)
        first = b.add(start, number)
        stop = b.min(b.add(start, CHUNK), form.count)
        return _Adding(form, lanes, first, b.ceildiv(b.sub(b.max(stop, first), first), LANES))

    def elements(self, number: Index, vectors: Sequence[Sequence[Index]]) -> list[SSAValue]:
        """One, in vectors of columns of which each has the indices of its first output."""
        form, b = self.form, self.form.b
        place = b.split(b.add(self.first, b.mul(number, LANES)), form.inner)
        columns = [form.elements([*dims, *place], form.parallel - 1, self.lanes) for dims in vectors]
        return [value for (values,) in columns for value in values]

    def all(self, reduction: BlockReduction, steps: Index, vectors: Sequence[Sequence[Index]]) -> Sequence[SSAValue]:
        """Add up the first `steps` of them."""

        def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return reduction.join(values, self.elements(number, vectors))

        return self.form.b.carried(0, steps, reduction.identities(), step, name="step")


@dataclass(frozen=True)
class _Piece:
    """The work of a thread."""

    reduction: BlockReduction
    """Of its columns, which are reductions of their own."""
    chunk: Index
    row: Index
    """Of outputs."""
    outer: Sequence[Index]
    """The indices of the row."""
    columns: Sequence[Index]
    """The first of each of the thread's vectors."""


def _combine(
    form: Reduced,
    lanes: int,
    chunks: Index,
    accumulator: Callable[[_Piece, Index], Sequence[SSAValue]],
    keep: Keep,
) -> None:
    """The launch that combines accumulators; `accumulator` gives those of a number, in all columns of a thread. The
    vectors of threads side by side are neighbours, since the processor reads ahead along a row."""
    b = form.b
    of_row = b.div(form.outer[-1], lanes * VECTORS)
    pieces = b.mul(b.product(form.outer[:-1]), of_row)
    count = b.mul(pieces, chunks)
    with launch(b, form.target, b.ceildiv(count, THREADS), THREADS) as at, at.own(count) as number:
        chunk, piece = b.div(number, pieces), b.rem(number, pieces)
        row, first = b.div(piece, of_row), b.rem(piece, of_row)
        together = b.mul(b.div(first, THREADS), THREADS)
        beside = b.min(b.sub(of_row, together), THREADS)
        begin = b.add(b.mul(together, VECTORS), b.sub(first, together))
        columns = [b.mul(b.add(begin, b.mul(beside, n)), lanes) for n in range(VECTORS)]
        reduction = BlockReduction(b, [c for c in form.wide for _ in range(lanes * VECTORS)], form.count)
        given = _Piece(reduction, chunk, row, b.split(row, form.outer[:-1]), columns)

        def halves(first: Index, apart: int) -> Sequence[SSAValue]:
            """Combine the accumulators that lie `apart` from each other, from `first` on."""
            if apart == LANES:
                return accumulator(given, first)

            def half(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
                return reduction.join(values, halves(b.add(first, b.mul(number, apart)), 2 * apart))

            # The other half may have no elements.
            other = b.compare("ult", b.add(b.add(b.mul(chunk, CHUNK), first), apart), form.count)
            return b.carried(0, b.select(other, 2, 1), reduction.identities(), half, name="half")

        total = halves(0, 1)
        for n, value in enumerate(total):
            keep([value], chunk, row, [*given.outer, b.add(columns[n // lanes], n % lanes)])


SUM_THREADS = 32
"""Those of a block: there is nothing that more of them would share."""


def add_up(reduction: BlockReduction, start: Index, steps: Index, lanes: int, load: Load) -> Values:
    """Add up `steps` steps of accumulators of a chunk."""
    b, kinds = reduction.b, len(reduction.combiners)

    def rows(values: Sequence[SSAValue]) -> list[Values]:
        return [list(values[n * LANES : (n + 1) * LANES]) for n in range(kinds)]

    def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        base = b.add(start, b.mul(number, LANES))
        sums = rows(values)
        for first in range(0, LANES, lanes):
            old = [row[first : first + lanes] for row in sums]
            new = [list(values) for values in load(b.add(base, first), lanes)]
            for row, values in zip(sums, reduction.joined(old, new), strict=True):
                row[first : first + lanes] = values
        return [v for row in sums for v in row]

    nothing = [v for v in reduction.identities() for _ in range(LANES)]
    sums = rows(b.carried(0, steps, nothing, step, name="step"))
    while len(sums[0]) > 1:
        half = len(sums[0]) // 2
        sums = reduction.joined([row[:half] for row in sums], [row[half:] for row in sums])
    return [row[0] for row in sums]


def whole_rows(b: Builder, length: Index) -> SSAValue | bool:
    """On the host: whether rows have whole steps of accumulators, and one at least."""
    return b.both(b.is_some(length), b.is_multiple(length, LANES))


KeepSum = Callable[[Values, Index, Sequence[Index]], None]


def reduce_rows(form: Reduced, run: Index, parts: Index, keep: KeepSum) -> None:
    """The launch that reduces parts of rows, of `run` chunks each, a power of two, and keeps what they come to:
    `keep(values, number of the part, indices of the row)`."""
    b, count = form.b, form.count
    lanes = form.lanes(form.parallel)
    chunks, pieces = b.ceildiv(count, CHUNK), b.mul(form.rows, parts)
    with launch(b, form.target, b.ceildiv(pieces, SUM_THREADS), SUM_THREADS) as at, at.own(pieces) as piece:
        reduction = BlockReduction(b, form.wide, count)
        row, part = b.div(piece, parts), b.rem(piece, parts)
        outer = b.split(row, form.outer)
        first = b.mul(part, run)
        last = b.min(b.add(first, run), chunks)

        def load(place: Index, lanes: int) -> list[Values]:
            return form.row_elements(outer, place, lanes)

        def chunk(number: Index) -> Values:
            start = b.mul(number, CHUNK)
            steps = b.div(b.min(b.sub(count, start), CHUNK), LANES)
            return add_up(reduction, start, steps, lanes, load)

        if isinstance(count, int) and count <= CHUNK:
            return keep(chunk(0), piece, outer)
        counter = own_counter(reduction, at)
        with b.loop(first, last, name="chunk") as number:
            counter.push(b.sub(number, first), chunk(number))
        keep(counter.total(b.sub(last, first)), piece, outer)
