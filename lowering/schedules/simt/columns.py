"""Reductions of neighbouring outputs for devices: threads lie along the columns, and each has some of the accumulators
of its column.

Accumulators whose numbers differ in their high bits are a thread's own: those combine first, in registers, and then the
threads of a column in shared memory. A chunk a block; what several chunks leave is combined by a thread a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.lowering.rewriting.kernel_builder import Index
from hologram.lowering.schedules.common.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import BlockReduction, Values, own_counter
from hologram.lowering.schedules.simt.lane_columns import reduce_pieces, whole_columns
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.reduced import Left, Reduced, left_by


def reduce_columns(form: Reduced) -> None:
    """All of the code."""
    b, lanes = form.b, form.lanes(form.parallel - 1)
    if form.target.has_lanes:
        wide = whole_columns(form, lanes) if lanes > 1 and len(form.wide) == 1 else False
        b.choose(wide, lambda: _by_lanes(form, lanes), lambda: _by_blocks(form, 1))
    else:
        _by_blocks(form, lanes if len(form.wide) == 1 else 1)


def _by_lanes(form: Reduced, lanes: int) -> None:
    """Each thread has columns of its own."""
    b = form.b
    chunks = b.ceildiv(form.count, CHUNK)
    with left_by(form, chunks, _combine_chunks) as left:
        reduction = BlockReduction(b, form.wide, form.count)

        def keep(values: Values, chunk: Index, row: Index, where: Sequence[Index]) -> None:
            _keep(left, reduction, values, chunk, row, where)

        reduce_pieces(form, lanes, chunks, keep)


def _keep(
    left: Left, reduction: BlockReduction, values: Values, chunk: Index, row: Index, where: Sequence[Index]
) -> None:
    """Finishes an output, or leaves what its chunk comes to."""
    form, b = left.form, left.form.b
    place = b.add(b.mul(chunk, form.rows), b.add(b.mul(row, form.outer[-1]), where[-1]))
    left.keep(values, place, lambda: form.finish(reduction.not_empty(values), where))


def _by_blocks(form: Reduced, lanes: int) -> None:
    """The threads of a block share columns and chunks."""
    b = form.b
    threads = form.target.threads
    # A power of two, so that a column has no more threads than accumulators.
    across = 1 << min(max(form.parameters.columns // lanes, threads // LANES), threads).bit_length() - 1
    columns = _Columns(form, lanes, across, threads // across)
    wide = form.ready(form.parallel - 1, lanes) if lanes > 1 else False
    last = form.outer[-1]
    groups = b.div(last, b.select(wide, lanes, 1))
    tiles = b.mul(b.product(form.outer[:-1]), b.ceildiv(groups, columns.across))
    chunks = b.ceildiv(form.count, CHUNK)
    # Of no elements there is still a chunk, which gives the identities.
    blocks = b.mul(tiles, b.max(chunks, 1))
    with left_by(form, chunks, _combine_chunks) as left:
        with launch(b, form.target, blocks, form.target.threads) as at, at.shares(blocks, name="chunk") as number:
            chunk, tile = (0, number) if left.single is True else (b.div(number, tiles), b.rem(number, tiles))
            of_row = b.ceildiv(groups, columns.across)
            row, part = (0, tile) if len(form.outer) == 1 else (b.div(tile, of_row), b.rem(tile, of_row))
            place = _Place(b.split(row, form.outer[:-1]), row, part, chunk, groups)

            def block(lanes: int) -> None:
                columns.block(at, place, lanes, left)

            b.choose(wide, lambda: block(lanes), lambda: block(1))


@dataclass(frozen=True)
class _Place:
    """The work of a block: a part of a row of outputs, and a chunk."""

    outer: Sequence[Index]
    row: Index
    part: Index
    chunk: Index
    groups: Index
    """The vectors of outputs in a row."""


@dataclass(frozen=True)
class _Columns:
    form: Reduced
    lanes: int
    across: int
    """The threads along the columns."""
    deep: int
    """The threads of a column, a power of two."""

    @property
    def own(self) -> int:
        """The accumulators of a thread for a column."""
        return LANES // self.deep

    def block(self, at: Launch, place: _Place, lanes: int, left: Left) -> None:
        """One chunk of the columns of a block."""
        form, b = self.form, self.form.b
        reduction = BlockReduction(b, form.wide, form.count)
        x, y = b.rem(at.thread, self.across), b.div(at.thread, self.across)
        group = b.add(b.mul(place.part, self.across), x)
        inside = b.compare("ult", group, place.groups)
        # Threads behind the last column do what the first one does, but store nothing.
        column = b.mul(b.select(inside, group, 0), lanes)
        outer = [*place.outer, column]
        mine = self._accumulators(reduction, outer, y, place.chunk, lanes)
        values = self._threads_joined(at, reduction, mine, x, y, lanes)
        with b.when(b.both(inside, b.compare("eq", y, 0))):
            for lane in range(lanes):
                here = [row[lane] for row in values]
                _keep(left, reduction, here, place.chunk, place.row, [*place.outer, b.add(column, lane)])
        at.barrier()

    def _accumulators(
        self, reduction: BlockReduction, outer: Sequence[Index], y: Index, chunk: Index, lanes: int
    ) -> list[list[Values]]:
        """The sums of the chunk's elements, for each of the thread's accumulators, combiner and lane."""
        form, b = self.form, self.form.b
        start = b.mul(chunk, CHUNK)
        length = b.sub(b.min(b.add(start, CHUNK), form.count), start)
        whole = b.div(length, LANES)

        def load(place: Index) -> list[Values]:
            return form.elements([*outer, *b.split(place, form.inner)], form.parallel - 1, lanes)

        def unpacked(values: Sequence[SSAValue]) -> list[list[Values]]:
            kinds, it = len(form.wide), iter(values)
            return [[[next(it) for _ in range(lanes)] for _ in range(kinds)] for _ in range(self.own)]

        def packed(rows: Sequence[Sequence[Values]]) -> list[SSAValue]:
            return [v for row in rows for values in row for v in values]

        def step(number: Index, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            base = b.add(b.add(start, b.mul(number, LANES)), y)
            new = [load(b.add(base, n * self.deep)) for n in range(self.own)]
            return packed([reduction.joined(old, row) for old, row in zip(unpacked(values), new, strict=True)])

        nothing = [v for _ in range(self.own) for v in reduction.identities() for _ in range(lanes)]
        sums = unpacked(b.carried(0, whole, nothing, step, name="step"))
        base = b.add(b.add(start, b.mul(whole, LANES)), y)
        end = b.add(start, length)
        for n in range(self.own):
            place, old = b.add(base, n * self.deep), sums[n]

            def more(place: Index = place, old: list[Values] = old) -> list[SSAValue]:
                return packed([reduction.joined(old, load(place))])

            last = b.chosen(b.compare("ult", place, end), more, lambda old=old: packed([old]))
            it = iter(last)
            sums[n] = [[next(it) for _ in range(lanes)] for _ in form.wide]
        return sums

    def _threads_joined(
        self, at: Launch, reduction: BlockReduction, sums: list[list[Values]], x: Index, y: Index, lanes: int
    ) -> list[Values]:
        """Combine all accumulators of a column; the first of its threads has the result."""
        b = self.form.b
        while len(sums) > 1:
            half = len(sums) // 2
            sums = [reduction.joined(sums[n], sums[n + half]) for n in range(half)]
        (mine,) = sums
        width = self.across * lanes
        arrays = [at.shared(t.ir, self.deep * width) for _, t in self.form.wide]

        def place(line: Index, lane: int) -> list[Index]:
            return [b.add(b.add(b.mul(line, width), b.mul(x, lanes)), lane)]

        def load(line: Index) -> list[Values]:
            return [[b.load(array, place(line, lane)) for lane in range(lanes)] for array in arrays]

        def store(values: Sequence[Values], line: Index) -> None:
            for array, row in zip(arrays, values, strict=True):
                for lane, value in enumerate(row):
                    b.store(value, array, place(line, lane))

        store(mine, y)
        half = self.deep // 2
        while half:
            at.barrier()
            with b.when(b.compare("ult", y, half)):
                store(reduction.joined(load(y), load(b.add(y, half))), y)
            half //= 2
        at.barrier()
        return load(y)


def _combine_chunks(form: Reduced, scratch: Sequence[SSAValue], chunks: Index) -> None:
    """A thread a column, over what its chunks have left."""
    b, rows, threads = form.b, form.rows, form.target.threads
    tiles = b.ceildiv(rows, threads)
    with launch(b, form.target, tiles, threads) as at, at.shares(tiles, name="columns") as tile:
        column = b.add(b.mul(tile, threads), at.thread)
        reduction = BlockReduction(b, form.wide, form.count)
        counter = own_counter(reduction, at)
        with b.when(b.compare("ult", column, rows)):
            with b.loop(0, chunks, name="chunk") as chunk:
                counter.push(chunk, b.load_all(scratch, [b.add(b.mul(chunk, rows), column)]))
            form.finish(reduction.not_empty(counter.total(chunks)), b.split(column, form.outer))
