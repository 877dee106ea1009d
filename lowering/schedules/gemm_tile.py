"""The tile of an `atlas.gemm` whose sums stay in vector registers, and how they get to the out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Index
from hologram.lowering.schedules.gemm_product import Product
from hologram.lowering.schedules.vectors import Vectors, carried

Left = Callable[[int, Index], SSAValue]
"""The element of a in a row of the tile, at a step of the sums."""
Right = Callable[[Index, int, SSAValue | None], SSAValue]
"""At a step of the sums, a vector of b: its number in the tile, and which of its lanes exist (None: all)."""
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

    def __init__(self, product: Product, rows: int, vectors: int, lanes: int):
        self.product, self.b = product, product.b
        self.rows, self.count, self.lanes = rows, vectors, lanes
        self.v = Vectors(product.b, product.wide, lanes)

    def whole(self, part: Part, place: Place, left: Left, right: Right) -> None:
        """A tile with all its columns; rows below the out's last are left out."""
        sums = self._sums(part.count, left, lambda k, n: right(k, n, None), self.count)
        if not self.product.stores_vectors:
            self._store_elements(part, place, self._spilled(sums), self.count * self.lanes)
            return
        self.b.choose(
            part.is_first,
            lambda: self._store_rows(part, place, sums, is_first=True),
            lambda: self._store_rows(part, place, sums, is_first=False),
        )

    def partial(self, part: Part, place: Place, left: Left, right: Right, width: Index, vectors: int) -> None:
        """A tile of `width` columns, which fit into so many vectors."""
        masks = [self.v.mask(self.b.sub(width, n * self.lanes)) for n in range(vectors)]
        sums = self._sums(part.count, left, lambda k, n: right(k, n, masks[n]), vectors)
        buffer = self._spilled(sums)
        if not self.product.stores_vectors:
            self._store_elements(part, place, buffer, width)
            return
        with self._each_row(place) as (r, row), self.b.loop(0, width, self.lanes, name="j") as at:
            mask = self.v.mask(self.b.sub(width, at))
            total = self._scaled(self.v.load(buffer, [r, at]))
            column = self.b.add(place.column, at)
            self.b.choose(
                part.is_first,
                lambda: self._store(part, place, row, column, total, mask, is_first=True),
                lambda: self._store(part, place, row, column, total, mask, is_first=False),
            )

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

    def _spilled(self, sums: Sequence[SSAValue]) -> SSAValue:
        """A small array with the sums."""
        vectors = len(sums) // self.rows
        buffer = self.b.alloca(self.product.wide.ir, self.rows, vectors * self.lanes)
        for number, value in enumerate(sums):
            self.v.store(value, buffer, [number // vectors, number % vectors * self.lanes])
        return buffer

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

    def _store_rows(self, part: Part, place: Place, sums: Sequence[SSAValue], *, is_first: bool) -> None:
        for r in range(self.rows):
            with self._row(place, r) as row:
                for n in range(self.count):
                    column = self.b.add(place.column, n * self.lanes)
                    total = self._scaled(sums[r * self.count + n])
                    self._store(part, place, row, column, total, None, is_first=is_first)

    def _store(
        self, part: Part, place: Place, row: Index, column: Index, total: SSAValue, mask: SSAValue | None, *,
        is_first: bool,
    ) -> None:  # fmt: skip
        """Stores a scaled sum, with c in the first part, else with what is there."""
        product, at = self.product, [*place.batch, row, column]
        if not is_first:
            total = self.v.add(self.v.load(product.out, at, mask), total)
        elif product.has_c:
            beta = self.v.splat(product.scale(product.beta))
            total = self.v.multiply_add(beta, self.v.load(product.values[2], at, mask), total)
        self.v.store(total, product.out, at, mask)

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
        with self._each_row(place) as (r, row), b.loop(0, width, name="j") as at:
            column = b.add(place.column, at)
            total = b.load(buffer, [r, at])
            if kept is not None:
                before = b.load(kept.buffer, [row, b.sub(column, kept.column)])
                total = b.op((arith.AddfOp if self.product.dtype.is_float else arith.AddiOp)(before, total))
            then(row, column, total)
