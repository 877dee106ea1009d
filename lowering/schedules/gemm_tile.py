"""The tile of an `atlas.gemm` whose sums stay in vector registers, and how they get to the out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Index
from hologram.lowering.schedules.gemm_product import Product
from hologram.lowering.schedules.vectors import Vectors, carried

Left = Callable[[int, Index], SSAValue]
"""The element of a in a row of the tile, at a step of the sums."""
Right = Callable[[Index, Index, SSAValue | None], SSAValue]
"""At a step of the sums, a vector of b: its first column in the tile, and which of its lanes exist (None: all)."""
Before = Callable[[Sequence[Index], "SSAValue | None", SSAValue], SSAValue]
"""At a place of the out, under a mask: a vector of sums, with what they are to be added to."""
Finish = Callable[[Index, Index, SSAValue], None]
"""What becomes of the sum at a row and a column of the out."""


@dataclass(frozen=True)
class Kept:
    """Where the sums of a block of columns, from `column` on, are kept between parts."""

    buffer: SSAValue
    column: Index


@dataclass(frozen=True)
class Part:
    """The part of the sums that tiles add up at a time; `kept` where the out can't hold the sums of several parts."""

    count: Index
    is_first: SSAValue | bool
    is_last: SSAValue | bool
    kept: Kept | None


@dataclass(frozen=True)
class Place:
    """A tile's first row and column in the out."""

    batch: Sequence[Index]
    row: Index
    column: Index


class Tile:
    """Emits tiles of `rows` rows for a product."""

    def __init__(self, product: Product, rows: int, vectors: int, lanes: int, *, masks: bool):
        self.product, self.b = product, product.b
        self.rows, self.count, self.lanes, self.masks = rows, vectors, lanes, masks
        self.width = vectors * lanes
        self.v = Vectors(product.b, product.wide, lanes)

    def whole(self, part: Part, place: Place, left: Left, right: Right) -> None:
        """A tile with all its columns, of sums that are stored as vectors."""
        sums = self._sums(part.count, left, lambda k, n: right(k, n * self.lanes, None), self.count)
        self._with_what_is_there(part, lambda before: self._store_rows(place, sums, before))

    def ragged(
        self, part: Part, place: Place, left: Left, right: Right, width: Index, counts: Sequence[int]
    ) -> None:  # fmt: skip
        """A tile of `width` columns. `counts` are numbers of vectors: the first that is enough is computed.

        Where there are none, two vectors at a time are, and the last one alone: less code, and less to compute than
        numbers that are too large, for the price of reading a again.
        """
        b, lanes = self.b, self.lanes
        buffer = b.alloca(self.product.wide.ir, self.rows, (counts[-1] if counts else self.count) * lanes)

        def compute(vectors: int, *, masked: bool, column: Index = 0) -> None:
            places = [b.add(column, n * lanes) for n in range(vectors)]
            masks = [self.v.mask(b.sub(width, at)) if masked else None for at in places]

            def load(k: Index, n: int) -> SSAValue:
                return right(k, places[n], masks[n])

            self._spill(self._sums(part.count, left, load, vectors), buffer, places)

        def by_pairs() -> None:
            pair = min(2, self.count)
            single = b.mul(b.div(b.add(width, lanes - 1), pair * lanes), pair * lanes)
            for start, end, vectors in ((0, single, pair), (single, width, 1))[:pair]:
                with b.loop(start, end, vectors * lanes, name="j") as column:
                    compute(vectors, masked=self.masks, column=column)

        def enough(counts: Sequence[int]) -> None:
            if not counts:
                by_pairs()
                return
            if len(counts) == 1:
                compute(counts[0], masked=self.masks and width != counts[0] * lanes)
                return
            fits = b.compare("ule", width, counts[0] * lanes)
            b.choose(fits, lambda: compute(counts[0], masked=self.masks), lambda: enough(counts[1:]))

        if isinstance(width, int) or self.product.stores_vectors:
            enough(counts)
        else:
            is_whole = b.compare("eq", width, self.width)
            b.choose(is_whole, lambda: compute(self.count, masked=False), lambda: enough(counts))
        if self.product.stores_vectors:
            self._with_what_is_there(part, lambda before: self._store_masked(place, buffer, width, before))
        else:
            self._store_elements(part, place, buffer, width)

    # Sums

    def _sums(self, count: Index, left: Left, right: Callable[[Index, int], SSAValue], vectors: int) -> list[SSAValue]:
        """The sums of the tile, row by row."""

        def step(k: Index, sums: list[SSAValue]) -> list[SSAValue]:
            columns = [right(k, n) for n in range(vectors)]
            added: list[SSAValue] = []
            for r in range(self.rows):
                x = self.v.splat(left(r, k))
                added += [
                    self.v.multiply_add(x, y, sums[r * vectors + n]) for n, y in enumerate(columns)
                ]  # fmt: skip
            return added

        return carried(self.b, (0, count, 1), [self.v.zero()] * (self.rows * vectors), step, "k")

    def _spill(self, sums: Sequence[SSAValue], buffer: SSAValue, places: Sequence[Index]) -> None:
        """Stores the sums to a small array, those of each row at some columns."""
        for number, value in enumerate(sums):
            self.v.store(value, buffer, [number // len(places), places[number % len(places)]])

    @contextmanager
    def _row(self, place: Place, number: int) -> Generator[Index]:
        """A row of the tile, if the out has it."""
        row, m = self.b.add(place.row, number), self.product.m
        if number == 0 or (isinstance(m, int) and m % self.rows == 0):
            yield row
            return
        with self.b.when(self.b.compare("slt", row, m)):
            yield row

    @contextmanager
    def _each_row(self, place: Place) -> Generator[tuple[Index, Index]]:
        """A loop over the rows of the tile that the out has."""
        count = self.b.min(self.rows, self.b.sub(self.product.m, place.row))
        with self.b.loop(0, count, name="i") as r:
            yield r, self.b.add(place.row, r)

    # The out, by vectors

    def _scaled(self, total: SSAValue) -> SSAValue:
        product = self.product
        return total if product.alpha == 1 else self.v.multiply(total, self.v.splat(product.scale(product.alpha)))

    def _with_what_is_there(self, part: Part, store: Callable[[Before], None]) -> None:
        """Stores sums: to be added to are c in the first part, and in the others what the out has."""
        product, v = self.product, self.v

        def c(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            if not product.has_c:
                return total
            return v.multiply_add(v.splat(product.scale(product.beta)), v.load(product.values[2], at, mask), total)

        def out(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            return v.add(v.load(product.out, at, mask), total)

        if isinstance(part.is_first, bool) or product.has_c or not self.masks:
            self.b.choose(part.is_first, lambda: store(c), lambda: store(out))
            return
        # One piece of code that loads nothing at first: half the code of two.
        one, zero = (self.b.op(arith.ConstantOp(IntegerAttr(n, i1))) for n in (1, 0))
        there = self.v.splat(self.b.op(arith.SelectOp(part.is_first, zero, one)), i1)

        def out_if_there(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            lanes = there if mask is None else self.b.both(there, mask)
            return v.add(v.load(product.out, at, lanes), total)

        store(out_if_there)

    def _store_rows(self, place: Place, sums: Sequence[SSAValue], before: Before) -> None:
        for r in range(self.rows):
            with self._row(place, r) as row:
                for n in range(self.count):
                    at = [*place.batch, row, self.b.add(place.column, n * self.lanes)]
                    total = self._scaled(sums[r * self.count + n])
                    self.v.store(before(at, None, total), self.product.out, at)

    def _store_masked(self, place: Place, buffer: SSAValue, width: Index, before: Before) -> None:
        with self._each_row(place) as (r, row), self.b.loop(0, width, self.lanes, name="j", as_it_is=True) as column:
            mask = self.v.mask(self.b.sub(width, column))
            at = [*place.batch, row, self.b.add(place.column, column)]
            total = self._scaled(self.v.load(buffer, [r, column]))
            self.v.store(before(at, mask, total), self.product.out, at, mask)

    # The out, element by element

    def _store_elements(self, part: Part, place: Place, buffer: SSAValue, width: Index) -> None:
        """Sums are kept apart until the last part: elements of the out may not hold them, or c may be the out."""

        def finish(row: Index, column: Index, total: SSAValue) -> None:
            self.product.finish(total, place.batch, row, column)

        kept = part.kept
        if kept is None:
            self._each_element(place, buffer, width, None, finish)
            return

        def keep(row: Index, column: Index, total: SSAValue) -> None:
            self.b.store(total, kept.buffer, [row, self.b.sub(column, kept.column)])

        def ending(then: Finish) -> Callable[[], None]:
            return lambda: self.b.choose(
                part.is_first,
                lambda: self._each_element(place, buffer, width, None, then),
                lambda: self._each_element(place, buffer, width, kept, then),
            )

        self.b.choose(part.is_last, ending(finish), ending(keep))

    def _each_element(self, place: Place, buffer: SSAValue, width: Index, kept: Kept | None, then: Finish) -> None:
        """Gives each sum to `then`, with what is kept of the parts before."""
        b = self.b
        with self._each_row(place) as (r, row), b.loop(0, width, name="j", vector=True) as at:
            column = b.add(place.column, at)
            total = b.load(buffer, [r, at])
            if kept is not None:
                before = b.load(kept.buffer, [row, b.sub(column, kept.column)])
                total = b.op((arith.AddfOp if self.product.dtype.is_float else arith.AddiOp)(before, total))
            then(row, column, total)
