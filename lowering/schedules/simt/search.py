"""The schedules of `atlas.argmin`, `atlas.argmax` and `atlas.scan` for devices, which walk along one axis.

A search has a block a row, whose threads' finds meet in pairs. A scan cuts a row into parts, each begun with what those
before it come to.

Where the axis is the innermost one, a part is a block's: tile by tile, of which each thread combines some neighbours,
one after the other, and the threads' totals are scanned in shared memory. Elsewhere, and where rows are short, it is a
thread's. With more than one part, a launch before finds what each of them comes to, so elements are read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, element_type, identity
from hologram.dialects.atlas.arrays.search import ArgOp, ScanOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, working_type
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import Nest, axis_last
from hologram.lowering.schedules.common.reduction_form import combine
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu import search as nest_search
from hologram.lowering.schedules.cpu.search import SearchParameters
from hologram.lowering.schedules.simt.launches import Launch, launch

BYTES = 32
"""The elements of a thread in a tile, at most."""
SHORT = 64
"""Rows of up to so many elements are a thread's each; parts that are threads' have no fewer."""
MOST_PARTS = 64
"""The parts that a thread may have before its own."""


def schedule_arg(b: Builder, op: ArgOp, target: Target, parameters: SearchParameters) -> None:
    """NaN is neither better than anything nor equal to it, so a row of NaN alone has no place, which counts as 0; where
    NaN wins, it is better than all numbers and equal to NaN."""
    dtype, place = op.type.dtype, DTYPES["i64"]
    if dtype.bits > 64:
        return nest_search.schedule_arg(b, op, target, SearchParameters(tile=1))
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    (x, y), (*outer, length) = nest.accesses, nest.extents
    better = "gt" if op.KIND in (Kind.max, Kind.max_nan) else "lt"
    rows, threads = b.product(outer), target.threads
    if op.may_trap:
        b.check(b.compare("ne", length, 0), f"{op.name}: no elements along the axis")

    def best(a: Sequence[SSAValue], other: Sequence[SSAValue]) -> list[SSAValue]:
        (u, i), (v, j) = a, other
        wins, equal = (b.of(dtype).compare(condition, v, u) for condition in (better, "eq"))
        if op.nan_wins:
            new, old = (b.of(dtype).compare("ne", w, w) for w in (v, u))
            wins = b.core.either(wins, b.both(new, b.of(dtype).compare("eq", u, u)))
            equal = b.core.either(equal, b.both(new, old))
        chosen = b.core.either(wins, b.both(equal, b.of(place).compare("lt", j, i)))
        return [b.core.select(chosen, v, u), b.core.select(chosen, j, i)]

    with launch(b, target, rows, threads) as at:
        values, places = at.shared(dtype.ir, threads), at.shared(i64, threads)
        with at.shares(rows, name="row") as row:
            dims = b.split(row, outer)
            steps = b.div(b.add(b.sub(b.max(length, at.thread), at.thread), threads - 1), threads)

            def step(number: Index, current: Sequence[SSAValue]) -> list[SSAValue]:
                i = b.add(at.thread, b.mul(number, threads))
                return best(current, [x.load(b, [*dims, i]), b.index_as(i, i64)])

            nothing = [b.constant(identity(op.KIND, dtype), dtype), b.constant(place.greatest, place)]
            winner = b.carried(0, steps, nothing, step, name="step")

            def keep(pair: Sequence[SSAValue]) -> None:
                b.store_all(pair, [values, places], [at.thread])

            keep(winner)

            def join(mine: Index, other: Index) -> None:
                keep(best(*(b.load_all([values, places], [place]) for place in (mine, other))))

            at.halve(threads, join, wait=False)
            with at.only(1):
                number = b.load(places, [0])
                none = b.of(place).compare("eq", number, place.greatest)
                index = b.to_index(b.core.select(none, b.constant(0, place), number))
                y.store(b, b.index_as(index, element_type(op.outs[0].type)), [*dims, 0])
            at.barrier()


@dataclass(frozen=True)
class ScanParameters(SearchParameters):
    """`blocks`: so many blocks fill the device, about; `lanes`: so many threads do."""

    blocks: int = 1024
    lanes: int = 65536


def schedule_scan(b: Builder, op: ScanOp, target: Target, parameters: ScanParameters) -> None:
    """Rows of what is wider than a word are scanned by one thread each."""
    kind, dtype = op.combiner
    wide = working_type(kind.value, dtype)
    if wide.bits > 64:
        nest_search.schedule_scan(b, op, target, SearchParameters(tile=1))
        return
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    scan = _Scan(b, target, parameters, nest, kind, dtype, wide, op.is_exclusive)
    if nest.accesses[0].innermost != len(nest.extents) - 1:
        scan.by_threads()
    else:
        b.choose(b.at_most(scan.length, SHORT), scan.by_threads, scan.by_blocks)


@dataclass
class _Scan:
    """The code of one scan."""

    b: Builder
    target: Target
    parameters: ScanParameters
    nest: Nest
    kind: Kind
    dtype: DType
    wide: DType
    """The type that elements are combined in."""
    is_exclusive: bool
    each: int = field(init=False)
    """The neighbours that a thread combines in a tile."""

    def __post_init__(self) -> None:
        self.each = BYTES * 8 // max(self.wide.bits, 32)

    @property
    def length(self) -> Index:
        return self.nest.extents[-1]

    @property
    def outer(self) -> Sequence[Index]:
        return self.nest.extents[:-1]

    @property
    def rows(self) -> Index:
        return self.b.product(self.outer)

    # Elements

    def nothing(self) -> SSAValue:
        """The value that a scan begins with."""
        return self.b.constant(identity(self.kind, self.wide), self.wide)

    def join(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Two values combined."""
        return combine(self.b, self.kind, self.wide, x, y)

    def load(self, row: Sequence[Index], place: Index) -> SSAValue:
        """An element, as it is combined."""
        value = self.nest.accesses[0].load(self.b, [*row, place])
        return self.b.cvt(self.dtype, self.wide, value)

    def load_below(self, end: Index, row: Sequence[Index], place: Index) -> SSAValue:
        """An element; the identity from `end` on."""
        b = self.b
        return b.chosen(b.compare("ult", place, end), lambda: [self.load(row, place)], lambda: [self.nothing()])[0]

    def store(self, value: SSAValue, row: Sequence[Index], place: Index) -> None:
        """Stores a result. A float sum of nothing is +0, though it begins with -0."""
        b = self.b
        if self.is_exclusive and self.kind is Kind.add and self.dtype.is_float:
            value = b.core.select(b.compare("eq", place, 0), b.constant(0.0, self.wide), value)
        if self.wide is not self.dtype:
            value = b.cvt(self.wide, self.dtype, value)
        self.nest.accesses[1].store(b, value, [*row, place])

    # Parts

    def in_parts(self, parts: Index, code: Callable[[Index, SSAValue | None, bool], None]) -> None:
        """`code(parts, scratch, whether it finds what the parts come to)`, at last for what makes the results."""
        b = self.b
        if parts == 1:
            code(1, None, False)
            return
        scratch = b.alloc(self.wide.ir, [b.mul(self.rows, parts)])
        b.choose(b.at_most(parts, 1), lambda: None, lambda: code(parts, scratch, True))
        code(parts, scratch, False)
        b.free(scratch)

    def by_threads(self) -> None:
        """A thread a part; neighbours have neighbouring rows."""
        b = self.b
        most = b.min(b.div(self.parameters.lanes, b.max(self.rows, 1)), MOST_PARTS)
        run = b.max(b.ceildiv(self.length, b.max(most, 1)), SHORT)
        self.in_parts(
            b.max(b.ceildiv(self.length, run), 1),
            lambda parts, scratch, first: self._threads(run, parts, scratch, first),
        )

    def _threads(self, run: Index, parts: Index, scratch: SSAValue | None, is_first: bool) -> None:
        b, rows, threads = self.b, self.rows, self.target.threads
        count = b.mul(rows, parts)
        tiles = b.ceildiv(count, threads)
        with launch(b, self.target, tiles, threads) as at, at.shares(tiles, name="tile") as tile:
            number = b.add(b.mul(tile, threads), at.thread)
            with b.when(b.compare("ult", number, count)):
                part, row = (0, number) if scratch is None else (b.div(number, rows), b.rem(number, rows))
                dims = b.split(row, self.outer)
                first = b.mul(part, run)
                last = self.length if scratch is None else b.min(b.add(first, run), self.length)

                def total(i: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                    return [self.join(values[0], self.load(dims, i))]

                def next(i: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                    (now,) = total(i, values)
                    self.store(values[0] if self.is_exclusive else now, dims, i)
                    return [now]

                def before(n: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                    assert scratch is not None
                    return [self.join(values[0], b.load(scratch, [b.add(b.mul(n, rows), row)]))]

                start = [self.nothing()]
                if scratch is not None and is_first:
                    b.store(b.carried(first, last, start, total, name="i")[0], scratch, [number])
                    return
                start = start if scratch is None else b.carried(0, part, start, before, name="part")
                b.carried(first, last, start, next, name="i")

    def by_blocks(self) -> None:
        """A block a part, which is a number of tiles."""
        b = self.b
        tiles = b.ceildiv(self.length, self.target.threads * self.each)
        most = b.max(b.div(self.parameters.blocks, b.max(self.rows, 1)), 1)
        run = b.max(b.ceildiv(tiles, most), 1)
        self.in_parts(
            b.max(b.ceildiv(tiles, run), 1), lambda parts, scratch, first: self._blocks(run, parts, scratch, first)
        )

    def _blocks(self, run: Index, parts: Index, scratch: SSAValue | None, is_first: bool) -> None:
        b, threads = self.b, self.target.threads
        size = threads * self.each
        count = b.mul(self.rows, parts)
        with launch(b, self.target, count, threads) as at:
            block = _Block(self, at)
            with at.shares(count, name="part") as number:
                row, part = (number, 0) if scratch is None else (b.div(number, parts), b.rem(number, parts))
                dims = b.split(row, self.outer)
                first = b.mul(part, b.mul(run, size))
                last = self.length if scratch is None else b.min(b.add(first, b.mul(run, size)), self.length)
                if scratch is not None and is_first:
                    total = block.total(first, last, lambda i: self.load(dims, i))
                    with at.only(1):
                        b.store(total, scratch, [number])
                    at.barrier()
                    return
                start = self.nothing()
                if scratch is not None:
                    begin = b.mul(row, parts)
                    start = block.total(begin, number, lambda i: b.load(scratch, [i]))
                    at.barrier()
                steps = b.ceildiv(b.sub(b.max(last, first), first), size)

                def tile(n: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
                    return [block.tile(b.add(first, b.mul(n, size)), last, dims, values[0])]

                b.carried(0, steps, [start], tile, name="tile")
                at.barrier()


class _Block:
    """The common work of the threads of a block, in shared memory of theirs."""

    def __init__(self, scan: _Scan, at: Launch):
        self.scan, self.at, self.b = scan, at, scan.b
        threads, each = at.threads, scan.each
        # Each thread's neighbours lie an odd number of places from the next one's, so that all banks serve.
        self.values = at.shared(scan.wide.ir, threads * (each + 1))
        self.totals = at.shared(scan.wide.ir, 2 * threads)

    def total(self, first: Index, last: Index, load: Callable[[Index], SSAValue]) -> SSAValue:
        """Combine all elements of a part."""
        b, at, scan, slots = self.b, self.at, self.scan, self.totals
        place = b.add(first, at.thread)
        steps = b.ceildiv(b.sub(b.max(last, place), place), at.threads)

        def step(n: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            return [scan.join(values[0], load(b.add(place, b.mul(n, at.threads))))]

        (mine,) = b.carried(0, steps, [scan.nothing()], step, name="step")
        b.store(mine, slots, [at.thread])

        def halve(_: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            (half,) = values
            at.barrier()
            with b.when(b.compare("ult", at.thread, half)):
                x, y = (b.load(slots, [p]) for p in (at.thread, b.add(at.thread, half)))
                b.store(scan.join(x, y), slots, [at.thread])
            return [b.index(b.div(half, 2))]

        # As loops, like all that has barriers here: compilers for processors take long for each barrier.
        b.carried(0, at.threads.bit_length() - 1, [b.index(at.threads // 2)], halve, name="step")
        at.barrier()
        return b.load(slots, [0])

    def tile(self, start: Index, end: Index, row: Sequence[Index], before: SSAValue) -> SSAValue:
        """Scans a tile of a row that goes up to `end`; gives what it and `before` come to."""
        b, at, scan, each = self.b, self.at, self.scan, self.scan.each
        numbers = [b.add(at.thread, n * at.threads) for n in range(each)]
        places = [b.add(b.div(n, each), n) for n in numbers]
        loaded = [scan.load_below(end, row, b.add(start, n)) for n in numbers]
        for place, value in zip(places, loaded, strict=True):
            b.store(value, self.values, [place])
        at.barrier()
        mine = [b.add(b.mul(at.thread, each + 1), n) for n in range(each)]
        sums = [b.load(self.values, [mine[0]])]
        for place in mine[1:]:
            sums.append(scan.join(sums[-1], b.load(self.values, [place])))
        ahead, total = self._ahead(sums[-1])
        ahead = scan.join(before, ahead)
        for n, place in enumerate(mine):
            value = ahead if scan.is_exclusive and not n else scan.join(ahead, sums[n - scan.is_exclusive])
            b.store(value, self.values, [place])
        at.barrier()
        for place, number in zip(places, numbers, strict=True):
            target = b.add(start, number)
            with b.when(b.compare("ult", target, end)):
                scan.store(b.load(self.values, [place]), row, target)
        return scan.join(before, total)

    def _ahead(self, mine: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The combined values of the threads before this one, and of all threads."""
        b, at, scan, threads = self.b, self.at, self.scan, self.at.threads
        b.store(mine, self.totals, [at.thread])

        def double(_: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            """Combine from one half of the totals into the other."""
            step, source, target = values
            at.barrier()
            here = b.load(self.totals, [b.add(source, at.thread)])

            def joined() -> list[SSAValue]:
                place = b.add(source, b.sub(at.thread, step))
                return [scan.join(b.load(self.totals, [place]), here)]

            (value,) = b.chosen(b.compare("uge", at.thread, step), joined, lambda: [here])
            b.store(value, self.totals, [b.add(target, at.thread)])
            return [b.index(b.mul(step, 2)), target, source]

        halves = [b.index(0), b.index(threads)]
        _, last, _ = b.carried(0, threads.bit_length() - 1, [b.index(1), *halves], double, name="step")
        at.barrier()
        first = b.compare("eq", at.thread, 0)
        place = b.add(last, b.sub(b.select(first, 1, at.thread), 1))
        ahead = b.core.select(first, scan.nothing(), b.load(self.totals, [place]))
        return ahead, b.load(self.totals, [b.add(last, threads - 1)])
