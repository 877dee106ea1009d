"""Reductions for processors that run threads as lanes of their vectors: a thread has all accumulators of a chunk.

Nothing is shared and nobody waits, so all lanes of a vector go the same way; what they load at once are neighbours of
one thread, since such processors go through memory lane by lane. Rows have whole steps of accumulators, and begin at
multiples of what is loaded at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import BlockReduction, Counter, Load, Values
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.reduced import Reduced

THREADS = 32
"""Those of a block: there is nothing that more of them would share."""


def add_up(reduction: BlockReduction, start: Index, steps: Index, lanes: int, load: Load) -> Values:
    """What `steps` steps of accumulators of a chunk come to."""
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
    return b.all_of(b.is_some(length), b.is_multiple(length, LANES))


Keep = Callable[[Values, Index, Sequence[Index]], None]


def reduce_rows(form: Reduced, run: Index, parts: Index, keep: Keep) -> None:
    """The launch that reduces parts of rows, of `run` chunks each, a power of two, and keeps what they come to:
    `keep(values, number of the part, indices of the row)`."""
    b, count = form.b, form.count
    lanes = form.lanes(form.parallel)
    chunks, pieces = b.ceildiv(count, CHUNK), b.mul(form.rows, parts)
    with launch(b, form.target, b.ceildiv(pieces, THREADS), THREADS) as at, at.own(pieces) as piece:
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
        counter = Counter.of(reduction, at)
        with b.loop(first, last, name="chunk") as number:
            counter.push(b.sub(number, first), chunk(number))
        keep(counter.total(b.sub(last, first)), piece, outer)
