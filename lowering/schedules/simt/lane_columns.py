"""Reductions of neighbouring outputs where threads are lanes of a processor: a thread has columns of its own.

It takes the accumulators of a chunk one after another, in the order in which they combine by halving: 0 and 64, 32 and
96, and so on. What waits for its partner is in a binary counter, so that a thread needs few values for many columns,
and reads long pieces of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import BlockReduction, Counter, Values
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.reduced import Reduced

THREADS = 8
"""Those of a block."""
VECTORS = 8
"""The vectors of a row that a thread has."""
BITS = LANES.bit_length() - 1


Keep = Callable[[Values, Index, Index, Sequence[Index]], None]
"""`keep(values of an output, chunk, row of outputs, indices of the output)`."""


def whole_columns(form: Reduced, lanes: int) -> SSAValue | bool:
    """On the host: whether rows of outputs are whole pieces of a thread."""
    b, last, size = form.b, form.outer[-1], lanes * VECTORS
    whole = last % size == 0 if isinstance(last, int) else b.compare("eq", b.rem(last, size), 0)
    return b.all_of(form.ready(form.parallel - 1, lanes), whole)


def reduce_pieces(form: Reduced, lanes: int, chunks: Index, keep: Keep) -> None:
    """The launch that reduces pieces of a row of outputs over a chunk each."""
    b, size = form.b, lanes * VECTORS
    of_row = b.div(form.outer[-1], size)
    pieces = b.mul(b.product(form.outer[:-1]), of_row)
    count = b.mul(pieces, b.max(chunks, 1))
    with launch(b, form.target, b.ceildiv(count, THREADS), THREADS) as at:
        number = b.add(b.mul(at.block[0], THREADS), at.thread)
        with b.when(b.compare("ult", number, count)):
            chunk, piece = b.div(number, pieces), b.rem(number, pieces)
            row, column = b.div(piece, of_row), b.mul(b.rem(piece, of_row), size)
            outer = b.split(row, form.outer[:-1])
            # The columns of a thread are reductions of their own.
            reduction = BlockReduction(b, [c for c in form.wide for _ in range(size)], form.count)
            slots = [at.private(t.ir, BITS + 1) for _, t in reduction.combiners]
            counter = Counter(reduction, slots)
            start = b.mul(chunk, CHUNK)
            with b.loop(0, LANES, name="leaf") as leaf:
                first = b.add(start, _reversed(b, leaf))
                counter.push(leaf, _accumulator(form, reduction, lanes, [*outer, column], first, start))
            total = counter.total(LANES)
            for n in range(size):
                keep(total[n::size], chunk, row, [*outer, b.add(column, n)])


def _reversed(b: Builder, number: Index) -> Index:
    """The bits of the number of an accumulator in reverse."""
    total: Index = 0
    for bit in range(BITS):
        total = b.add(total, b.mul(b.rem(b.div(number, 1 << bit), 2), 1 << (BITS - 1 - bit)))
    return total


def _accumulator(
    form: Reduced, reduction: BlockReduction, lanes: int, outer: Sequence[Index], first: Index, start: Index
) -> Sequence[SSAValue]:
    """What the elements of an accumulator add up to, in all columns of a thread."""
    b = form.b
    stop = b.min(b.add(start, CHUNK), form.count)
    steps = b.ceildiv(b.sub(b.max(stop, first), first), LANES)

    def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        place = b.split(b.add(first, b.mul(number, LANES)), form.inner)
        new: list[Values] = [[] for _ in form.wide]
        for n in range(VECTORS):
            dims = [*outer[:-1], b.add(outer[-1], n * lanes), *place]
            for row, found in zip(new, form.elements(dims, form.parallel - 1, lanes), strict=True):
                row += found
        return reduction.join(values, [v for row in new for v in row])

    return b.carried(0, steps, reduction.identities(), step, name="step")
