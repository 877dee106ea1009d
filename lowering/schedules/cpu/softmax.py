"""The CPU schedule of `atlas.softmax`: three passes over each row, m = max(x), sum of e = exp(x - m), e / sum.

Where it can, one loop does them for three rows (`softmax_rows`). The other form, which fuses with loops beside it:
a row's e waits in a buffer, whose rows fuse-parallel-loops shares, so that the out is only written, past the cache
where it is large. Where no row is its own loop's, e waits in the out, or is computed twice where that can't hold it:
floats below 32 bits are computed in f32.

Softmax of rows in one loop for three of them: the greatest of the next row, the powers of this one, the quotients of
the row before.

So loads from memory, arithmetic, divisions and stores go on at the same time: on a Zen 4, 4096 rows of 1024 f32 took
1.00 ms at best, the other form of the schedule 1.38. Memory is read in its order, some kilobytes ahead: without the
prefetch it was 1.27. Each run of rows keeps the powers of two rows in a buffer. What is computed for a row is what the
other form computes, to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, UnitAttr, VectorType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr

from hologram.dialects import marks, vector
from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.dialects.atlas.arrays.named import SoftmaxOp
from hologram.dialects.atlas.instructions.types import STORED, DType, widened
from hologram.dialects.llvm import FenceOp
from hologram.dialects.memref import PrefetchOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.lowering.schedules.common.nest import Access, Nest, OutputTile, axis_last, for_each_tile, tile_across
from hologram.lowering.schedules.common.reduction_form import LANES, combine
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.common.vectors import Vectors, unit_stride
from hologram.lowering.schedules.cpu.map import elements_in_cache
from hologram.lowering.schedules.cpu.reduction import AHEAD, RowReduction, reduction
from hologram.transforms.analysis.row_accesses import root_of

RUNS = 64
"""The runs that the rows make, at least, so that threads find some..."""
ROWS = 32
"""... but a run has no more rows than this: the quotients of its last row are computed on their own."""
LINE = 64
REGISTERS = 8
"""The registers of sums, at most: as many constants, and what is computed, need room too."""
GREATEST = 2
"""The registers of the greatest."""


def fits(x: Access, y: Access, extents: Sequence[Index], wide: DType, target: Target) -> bool:
    """Return whether there are rows of neighbours, and the lanes of a reduction fit in registers."""
    rows = len(extents) == 2 and all(a.innermost == 1 and unit_stride(a.value) for a in (x, y))
    return rows and LANES * wide.bits <= REGISTERS * 8 * target.vector_bytes


@dataclass(frozen=True)
class SoftmaxRows:
    """The rows of `x` and `y`, of type `dtype`, computed in the type `wide`."""

    b: Builder
    x: Access
    y: Access
    extents: Sequence[Index]
    dtype: DType
    wide: DType
    target: Target
    past_cache: int | None
    """An out of more elements goes past the caches."""

    def emit(self) -> None:
        """All of the code."""
        b, rows = self.b, self.extents[0]
        run = b.max(b.min(b.div(rows, RUNS), ROWS), 1)
        runs = b.div(b.add(rows, b.sub(run, 1)), run)
        streams = self._streams()
        with b.parallel([runs], name="rows") as (number,):
            start = b.mul(number, run)
            self._run(start, b.min(b.add(start, run), rows), streams)
            if streams is not False:
                with b.when(streams):
                    fence = b.rw.emit(FenceOp("seq_cst"))
                    fence.attributes[marks.STREAMS] = UnitAttr()

    def _run(self, start: Index, end: Index, streams: SSAValue | Literal[False]) -> None:
        """The rows from `start` to `end`, of which there is one at least."""
        b, length = self.b, self.extents[1]
        # So that the rows of the buffer begin at lines, and not at the same place of a page.
        pitch = b.mul(b.add(b.ceildiv(length, LINE), 1), LINE)
        kept = b.alloc(self.wide.ir, [b.mul(pitch, 2)])
        # The first row stands for the one before it, with powers of 0, and is stored once more.
        with b.loop(0, length, name="j", vector=True) as j:
            b.store(b.constant(0.0, self.wide), kept, [b.add(pitch, j)])

        def step(row: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            here = b.mul(b.rem(b.sub(row, start), 2), pitch)
            later, before = b.min(b.add(row, 1), b.sub(end, 1)), b.max(b.add(start, 1), row)
            three = Three(row, later, b.sub(before, 1), here, b.sub(pitch, here), *values)
            if streams is False:
                return self._three(kept, three, past_cache=False)
            inside = b.compare("ne", row, start)
            return b.chosen(
                b.both(streams, inside),
                lambda: self._three(kept, three, past_cache=True),
                lambda: self._three(kept, three, past_cache=False),
            )

        # Of a row of nothing the greatest does not matter.
        greatest = RowReduction(
            b, [(Kind.max_nan, self.wide)], [length], lambda i, t: [self.value(start, i[0])],
            self.target, dear=False, spread=False,
        )  # fmt: skip
        greatest.loose = True
        greatest.emit()
        sums = b.carried(start, end, [greatest.result(0, 0), b.constant(1.0, self.wide)], step, name="i")
        last = b.sub(end, 1)
        base = b.mul(b.rem(b.sub(last, start), 2), pitch)
        with b.loop(0, length, name="j", vector=True, past_cache=self.past_cache) as j:
            self.store(b.load(kept, [b.add(base, j)]), sums[1], last, j)
        b.free(kept)

    def _three(self, kept: SSAValue, rows: Three, *, past_cache: bool) -> list[SSAValue]:
        three_rows = _ThreeRows(self, kept, rows, past_cache)
        three_rows.emit()
        return [three_rows.result(0, 0), three_rows.result(1, 0)]

    def value(self, row: Index, i: Index) -> SSAValue:
        """An element of a row."""
        return self.b.cvt(self.dtype, self.wide, self.x.load(self.b, [row, i]))

    def store(self, power: SSAValue, total: SSAValue, row: Index, i: Index) -> None:
        """Stores an element of the result."""
        quotient = self.b.of(self.wide).div(power, total)
        self.y.store(self.b, self.b.cvt(self.wide, self.dtype, quotient), [row, i])

    def _streams(self) -> SSAValue | Literal[False]:
        """Return whether the out is too large for the caches, and its rows are whole lines."""
        b, (rows, length) = self.b, self.extents
        near = self.past_cache is None or b.at_most(b.mul(rows, length), self.past_cache)
        if near is True:
            return False
        place = b.address(self.y.value)
        bytes = b.index(b.mul(length, self.dtype.bits // 8))
        whole = b.compare("eq", b.rem(b.core.either(place, bytes), LINE), 0)
        return whole if near is False else b.both(whole, b.core.complement(near))


@dataclass(frozen=True)
class Three:
    """A row, the ones after and before it, where the buffer has the powers of it and of the one before, the row's
    greatest element, and the sum of the powers before."""

    row: Index
    later: Index
    before: Index
    here: Index
    there: Index
    greatest: SSAValue
    total: SSAValue


class _ThreeRows(RowReduction):
    """The greatest of the later row and the sum of this row's powers; the loop over vectors is laid out here."""

    def __init__(self, form: SoftmaxRows, kept: SSAValue, rows: Three, past_cache: bool):
        b, wide = form.b, form.wide
        combiners = [(Kind.max_nan, wide), (Kind.add, wide)]
        super().__init__(b, combiners, form.extents[1:], self._one, form.target, dear=True, spread=False)
        self.loose = True
        self.form, self.kept, self.rows, self.past_cache = form, kept, rows, past_cache
        self.vectors = Vectors(b, wide, form.target.vector_bytes * 8 // wide.bits)

    def _one(self, indices: Sequence[Index], t: Index) -> list[SSAValue]:
        """One element of each row."""
        b, form, rows, (i,) = self.b, self.form, self.rows, indices
        less = b.of(form.wide).sub(form.value(rows.row, i), rows.greatest)
        power = b.of(form.wide).apply("exp", less)
        b.store(power, self.kept, [b.add(rows.here, i)])
        form.store(b.load(self.kept, [b.add(rows.there, i)]), rows.total, rows.before, i)
        return [form.value(rows.later, i), power]

    def _groups(
        self, outer: Sequence[Index], start: Index, groups: Index, sums: Sequence[SSAValue], fresh: bool
    ) -> None:
        if self.lanes != LANES:
            return super()._groups(outer, start, groups, sums, fresh)
        b, v = self.b, self.vectors
        count = LANES // v.lanes
        lowest, nothing = (v.splat(b.constant(identity(*c), c[1])) for c in self.combiners)

        def step(group: Index, before: Sequence[SSAValue]) -> list[SSAValue]:
            values = list(before)
            for n in range(count):
                i = b.add(b.add(start, b.mul(group, LANES)), n * v.lanes)
                greatest, power = self._many(i)
                values[n] = b.core.add(values[n], power)
                place = count + n % GREATEST
                values[place] = combine(b, Kind.max_nan, v.dtype, values[place], greatest, loose=True)
            return values

        partials = b.carried(0, groups, [nothing] * count + [lowest] * GREATEST, step, name="g", as_it_is=True)
        greatest = partials[count:] + [lowest] * (count - GREATEST)
        for array, parts in zip(sums, (greatest, partials[:count]), strict=True):
            for n, part in enumerate(parts):
                v.store(part, array, [n * v.lanes])

    def _many(self, i: Index) -> tuple[SSAValue, SSAValue]:
        """A vector of elements of each row."""
        b, v, rows = self.b, self.vectors, self.rows
        self._fetch(rows.later, i)
        less = b.core.sub(self._read(rows.row, i), v.splat(rows.greatest))
        power = b.op(math.ExpOp(less))
        v.store(power, self.kept, [b.add(rows.here, i)])
        before = v.load(self.kept, [b.add(rows.there, i)])
        self._write(b.core.div(before, v.splat(rows.total)), rows.before, i)
        return self._read(rows.later, i), power

    def _read(self, row: Index, i: Index) -> SSAValue:
        """Neighbours of a row."""
        b, v, x = self.b, self.vectors, self.form.x
        narrow = Vectors(b, self.form.dtype, v.lanes)
        loaded = narrow.load(x.value, [b.affine(e, [row, i]) for e in x.exprs])
        return loaded if self.form.dtype is v.dtype else b.op(arith.ExtFOp(loaded, v.type))

    def _fetch(self, row: Index, i: Index) -> None:
        """Fetches what lies ahead of a row's element: the loop has loads enough to wait for."""
        b, x = self.b, self.form.x
        ahead = b.add(i, AHEAD * 8 // self.form.dtype.bits)
        places = [b.index(b.affine(e, [row, ahead])) for e in x.exprs]
        b.rw.emit(PrefetchOp(x.value, places, locality=2))

    def _write(self, value: SSAValue, row: Index, i: Index) -> None:
        """Stores neighbours of the result."""
        b, y, dtype = self.b, self.form.y, self.form.dtype
        kind: VectorType[Any] = VectorType(dtype.ir, (self.vectors.lanes,))
        value = value if dtype is self.form.wide else b.op(arith.TruncFOp(value, kind))
        places = [b.index(b.affine(e, [row, i])) for e in y.exprs]
        alignment = self.vectors.lanes * dtype.bits // 8 if self.past_cache else None
        b.rw.emit(vector.StoreOp(value, y.value, places, nontemporal=self.past_cache, alignment=alignment))


LEAST = (128, 64)
"""The rows and their elements from which on they are computed three at a time, where it is known how many there are."""


@dataclass(frozen=True)
class SoftmaxParameters:
    """`tile`: the neighbouring rows that are computed at once where the axis is not the innermost."""

    tile: int = 128


def schedule_softmax(b: Builder, op: SoftmaxOp, target: Target, parameters: SoftmaxParameters) -> None:
    """Rows in parallel; each is read in the order of memory."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    x, y = nest.accesses
    dtype = dtype_in(x.value)
    wide = widened(dtype)
    # Floats of 8 bits are bytes from the next stage on: no vectors of them are written here.
    fit = dtype.name not in STORED and fits(x, y, nest.extents, wide, target)
    if fit and _stands_alone(op) and _is_worth_it(nest):
        past_cache = elements_in_cache(nest, target)
        SoftmaxRows(b, x, y, nest.extents, dtype, wide, target, past_cache).emit()
    else:
        _one_row_at_a_time(b, nest, dtype, wide, target, parameters)


def _one_row_at_a_time(
    b: Builder, nest: Nest, dtype: DType, wide: DType, target: Target, parameters: SoftmaxParameters
) -> None:
    x, y = nest.accesses
    size = tile_across(nest, parameters.tile)
    past_cache = elements_in_cache(nest, target)
    # The buffer's first axis is the loop's.
    waiting = _buffer(b, nest, wide) if size == 1 and len(nest.extents) == 2 else None
    kept = Access(waiting, _identity(2)) if waiting is not None else y if wide is dtype else None

    def rows(tile: OutputTile) -> None:
        def value(i: Index, t: Index) -> SSAValue:
            return b.cvt(dtype, wide, x.load(b, tile.at(t, i)))

        def values(r: Sequence[Index], t: Index) -> list[SSAValue]:
            return [value(r[0], t)]

        length = nest.extents[-1:]
        # A NaN that this misses makes the sum NaN, and x less either zero is a zero, whose power is 1.
        row_max = reduction(b, [(Kind.max_nan, wide)], length, values, tile, target=target, loose=True).results()

        def power(i: Index, t: Index) -> SSAValue:
            return b.of(wide).apply("exp", b.of(wide).sub(value(i, t), row_max(t)))

        def power_kept(r: Sequence[Index], t: Index) -> list[SSAValue]:
            e = power(r[0], t)
            if kept is not None:
                kept.store(b, e, tile.at(t, *r))
            return [e]

        row_sum = reduction(b, [(Kind.add, wide)], length, power_kept, tile, target=target, dear=True).results()
        with (
            b.loop(0, nest.extents[-1], name="j", vector=tile.size == 1, past_cache=past_cache) as i,
            b.loop(0, tile.width, name="t", vector=True) as t,
        ):
            e = kept.load(b, tile.at(t, i)) if kept is not None else power(i, t)
            y.store(b, b.cvt(wide, dtype, b.of(wide).div(e, row_sum(t))), tile.at(t, i))

    for_each_tile(b, nest.extents[:-1], size, rows)
    if waiting is not None:
        b.free(waiting)


def _stands_alone(op: SoftmaxOp) -> bool:
    """Return whether rows come from and go to the function's arguments: then no loops beside it could be joined."""
    roots = [root_of(v) for v in (op.ins[0], op.outs[0])]
    return all(root is not None and isinstance(root.owner, Block) for root in roots)


def _is_worth_it(nest: Nest) -> bool:
    """Return whether there may be rows enough for two to be computed together."""
    pairs = zip(nest.extents, LEAST, strict=True)
    return all(not isinstance(extent, int) or extent >= least for extent, least in pairs)


def _buffer(b: Builder, nest: Nest, dtype: DType) -> SSAValue:
    """Room for an element of each of the nest's indices."""
    shape = [e if isinstance(e, int) else DYNAMIC_INDEX for e in nest.extents]
    sizes = [e for e in nest.extents if not isinstance(e, int)]
    return b.op(memref.AllocOp(sizes, [], MemRefType(dtype.ir, shape)))


def _identity(rank: int) -> tuple[AffineExpr, ...]:
    return tuple(AffineExpr.dimension(d) for d in range(rank))
