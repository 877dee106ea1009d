"""Reductions of neighbouring outputs where threads are lanes of a processor: a thread has columns of its own.

It takes the accumulators of a chunk one after another, in the order in which they combine by halving: 0 and 64, 32 and
96, and so on. What waits for its partner is in a binary counter, so that a thread needs few values for many columns,
and reads long pieces of the rows. The accumulators of long columns are added up before, along the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import BlockReduction, Counter, Values
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import load_many, store_many
from hologram.lowering.schedules.simt.reduced import Reduced

THREADS = 8
"""Those of a block."""
VECTORS = 8
"""The vectors of a row that a thread has."""
SHORT, SUM_THREADS = 4 * LANES, 64
"""The elements of columns whose accumulators are added up where they combine, at most, and the threads of a block that
adds up longer ones."""
BITS = LANES.bit_length() - 1


Keep = Callable[[Values, Index, Index, Sequence[Index]], None]
"""`keep(values of an output, chunk, row of outputs, indices of the output)`."""


def whole_columns(form: Reduced, lanes: int) -> SSAValue | bool:
    """On the host: whether rows of outputs are whole pieces of a thread."""
    ready = form.ready(form.parallel - 1, lanes)
    return form.b.all_of(ready, form.b.is_multiple(form.outer[-1], lanes * VECTORS))


def reduce_pieces(form: Reduced, lanes: int, chunks: Index, keep: Keep) -> None:
    """Reduces pieces of a row of outputs over a chunk each; accumulators of long columns have a launch before it."""
    b = form.b
    chunks = b.max(chunks, 1)

    def short() -> None:
        def accumulator(piece: _Piece, first: Index) -> Sequence[SSAValue]:
            place = b.add(piece.start, first)
            return _accumulator(form, piece.reduction, lanes, VECTORS, piece.dims, place, piece.start)

        _combine(form, lanes, chunks, accumulator, keep)

    def long() -> None:
        (_, dtype), of_chunk = form.wide[0], b.mul(form.rows, LANES)
        array = b.alloc(dtype.ir, [b.mul(of_chunk, chunks)])
        _add_up(form, lanes, chunks, array)

        def accumulator(piece: _Piece, first: Index) -> Sequence[SSAValue]:
            place = b.add(b.add(b.mul(piece.chunk, of_chunk), b.mul(first, form.rows)), piece.place)
            parts = [load_many(b, array, [b.add(place, n * lanes)], lanes) for n in range(VECTORS)]
            return [value for part in parts for value in part]

        _combine(form, lanes, chunks, accumulator, keep)
        b.rw.emit(memref.DeallocOp.get(array))

    b.choose(b.at_most(form.count, SHORT), short, long)


def _add_up(form: Reduced, lanes: int, chunks: Index, array: SSAValue) -> None:
    """The launch that stores what accumulators add up to. A thread has a vector of columns, and its neighbours the
    vectors beside it, so that each row is a stream through memory."""
    b = form.b
    of_row = b.div(form.outer[-1], lanes)
    vectors = b.mul(b.product(form.outer[:-1]), of_row)
    count = b.mul(vectors, b.mul(chunks, LANES))
    with launch(b, form.target, b.ceildiv(count, SUM_THREADS), SUM_THREADS) as at, at.own(count) as number:
        accumulator, vector = b.div(number, vectors), b.rem(number, vectors)
        row, column = b.div(vector, of_row), b.mul(b.rem(vector, of_row), lanes)
        start = b.mul(b.div(accumulator, LANES), CHUNK)
        first = b.add(start, b.rem(accumulator, LANES))
        reduction = BlockReduction(b, [c for c in form.wide for _ in range(lanes)], form.count)
        dims = [*b.split(row, form.outer[:-1]), column]
        values = _accumulator(form, reduction, lanes, 1, dims, first, start)
        place = b.add(b.mul(accumulator, form.rows), b.mul(vector, lanes))
        store_many(b, values, array, [place])


@dataclass(frozen=True)
class _Piece:
    """What a thread reduces."""

    reduction: BlockReduction
    """Of its columns, which are reductions of their own."""
    chunk: Index
    start: Index
    """The first element of the chunk."""
    dims: Sequence[Index]
    """The indices of the first output."""
    place: Index
    """The number of the first output."""


def _combine(
    form: Reduced,
    lanes: int,
    chunks: Index,
    accumulator: Callable[[_Piece, Index], Sequence[SSAValue]],
    keep: Keep,
) -> None:
    """The launch that combines accumulators; `accumulator` gives those of a number, in all columns of a thread."""
    b, size = form.b, lanes * VECTORS
    of_row = b.div(form.outer[-1], size)
    pieces = b.mul(b.product(form.outer[:-1]), of_row)
    count = b.mul(pieces, chunks)
    with launch(b, form.target, b.ceildiv(count, THREADS), THREADS) as at, at.own(count) as number:
        chunk, piece = b.div(number, pieces), b.rem(number, pieces)
        row, column = b.div(piece, of_row), b.mul(b.rem(piece, of_row), size)
        dims = [*b.split(row, form.outer[:-1]), column]
        reduction = BlockReduction(b, [c for c in form.wide for _ in range(size)], form.count)
        slots = [at.private(t.ir, BITS + 1) for _, t in reduction.combiners]
        counter = Counter(reduction, slots)
        given = _Piece(reduction, chunk, b.mul(chunk, CHUNK), dims, b.mul(piece, size))
        with b.loop(0, LANES, name="leaf") as leaf:
            counter.push(leaf, accumulator(given, _reversed(b, leaf)))
        total = counter.total(LANES)
        for n in range(size):
            keep(total[n::size], chunk, row, [*dims[:-1], b.add(column, n)])


def _reversed(b: Builder, number: Index) -> Index:
    """The bits of the number of an accumulator in reverse."""
    total: Index = 0
    for bit in range(BITS):
        total = b.add(total, b.mul(b.rem(b.div(number, 1 << bit), 2), 1 << (BITS - 1 - bit)))
    return total


def _accumulator(
    form: Reduced,
    reduction: BlockReduction,
    lanes: int,
    vectors: int,
    outer: Sequence[Index],
    first: Index,
    start: Index,
) -> Sequence[SSAValue]:
    """What the elements of an accumulator add up to, in all columns of a thread."""
    b = form.b
    stop = b.min(b.add(start, CHUNK), form.count)
    steps = b.ceildiv(b.sub(b.max(stop, first), first), LANES)

    def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        place = b.split(b.add(first, b.mul(number, LANES)), form.inner)
        new: list[Values] = [[] for _ in form.wide]
        for n in range(vectors):
            dims = [*outer[:-1], b.add(outer[-1], n * lanes), *place]
            for row, found in zip(new, form.elements(dims, form.parallel - 1, lanes), strict=True):
                row += found
        return reduction.join(values, [v for row in new for v in row])

    return b.carried(0, steps, reduction.identities(), step, name="step")
