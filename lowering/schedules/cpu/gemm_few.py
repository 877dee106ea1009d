"""`atlas.gemm` of few rows (or few columns): some vectors times a matrix, as fast as the matrix is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.gemm_product import Product
from hologram.lowering.schedules.common.vectors import Vectors

FEW_WIDE, LARGE = 3, 1 << 18
"""The most vectors for which this is faster than tiles of sums where the columns of the matrix lie side by side, but"""
FEW = 8
"""for a matrix of so many elements, one past the caches, this many."""
FEW_DEEP = 12
"""The same where its rows lie along the sums."""
LEAST_WIDE = 16
"""The least length of vectors whose products with rows of the matrix are added up."""
LEAST_DEEP = 4
"""The least length of vectors whose products are summed up lane by lane, for each of them; one may have any."""
STEPS = 8
"""The rows of the matrix that are added up at a time."""
COLUMNS = 1024
"""The sums of a single vector that are kept in the nearest cache; of several, half of them, and rows of the matrix."""
LEAST_ROWS = 128
"""Of a part of the matrix."""
PIECES = 8
"""Of work that can run at the same time, if there are as many parts."""
DOTS = 8
"""The rows that are multiplied with one vector at a time, where the sums run along them."""
GROUP = 4
"""The rows that are multiplied with so many vectors at a time."""


@dataclass(frozen=True)
class FewTimesMatrix:
    """Few rows of one operand times the other, both as the product has them after their transposes.

    With `operand` 1 the matrix is b, and the vectors are the rows of a. With 0 the matrix is a transposed, and the
    vectors are the columns of b: what is stored then are columns of the out.
    """

    product: Product
    operand: int
    lanes: int
    masks: bool

    @cached_property
    def v(self) -> Vectors:
        return Vectors(self.product.b, self.product.wide, self.lanes)

    @property
    def is_wide(self) -> bool:
        """Return whether the columns of the matrix lie side by side."""
        product = self.product
        return product.rows_are_dense(1) if self.operand else product.columns_are_dense(0)

    @property
    def is_possible(self) -> bool:
        """Return whether the matrix lies well, and sums are stored as they are."""
        product = self.product
        dense = product.columns_are_dense(1) if self.operand else product.rows_are_dense(0)
        return product.dtype is product.wide and self.masks and (self.is_wide or dense)

    def is_best(self) -> SSAValue | bool:
        """Return whether the vectors are few, and long enough."""
        if not self.is_possible:
            return False
        b, few, k = self.product.b, self.few, self.product.k
        there = b.at_most(1, few)
        if self.is_wide:
            is_large = b.at_most(LARGE, b.mul(k, self.size))
            is_few = b.either(b.at_most(few, FEW_WIDE), b.both(b.at_most(few, FEW), is_large))
            return b.both(there, b.both(is_few, b.at_most(LEAST_WIDE, k)))
        is_few = b.both(b.at_most(few, FEW_DEEP), b.at_most(b.mul(few, LEAST_DEEP), k))
        return b.both(there, b.either(b.at_most(few, 1), is_few))

    @property
    def few(self) -> Index:
        """The number of vectors."""
        return self.product.m if self.operand else self.product.n

    @property
    def size(self) -> Index:
        """The number of sums of each vector."""
        return self.product.n if self.operand else self.product.m

    def emit(self, batch: Sequence[Index]) -> None:
        """The sums, each in the order of k, or along the rows of the matrix in that of the lanes."""
        (self._wide if self.is_wide else self._deep)(batch)

    def _x(self, batch: Sequence[Index], number: Index, k: Index) -> list[Index]:
        return self.product.place(0, batch, number, k) if self.operand else self.product.place(1, batch, k, number)

    def _y(self, batch: Sequence[Index], k: Index, column: Index) -> list[Index]:
        place = self.product.place
        return place(1, batch, k, column) if self.operand else place(0, batch, column, k)

    def _finish(self, total: SSAValue, batch: Sequence[Index], number: Index, column: Index) -> None:
        row, column = (number, column) if self.operand else (column, number)
        self.product.finish(total, batch, row, column)

    # Multiples of the rows of the matrix, added up

    def _wide(self, batch: Sequence[Index]) -> None:
        """Parts of the matrix, some rows of a block of columns each, and then the sums of what they gave."""
        product, b = self.product, self.product.b
        few, size = self.few, self.size
        rows, parts = self._parts()
        sums = b.alloc(product.wide.ir, [b.mul(parts, few), b.mul(b.ceildiv(size, self.lanes), self.lanes)])
        columns = b.select(b.at_most(few, 1), COLUMNS, COLUMNS // 2)
        with b.parallel([parts, b.div(b.add(size, b.sub(columns, 1)), columns)], name="p") as (part, block):
            first, start = b.mul(part, rows), b.mul(block, columns)
            ends = first, b.min(b.add(first, rows), product.k)
            self._part(batch, (sums, b.mul(part, few)), ends, (start, b.min(b.add(start, columns), size)))
        with b.parallel([size], [COLUMNS], name="j") as (start,):
            self._gather(batch, sums, parts, (start, b.min(b.add(start, COLUMNS), size)))
        b.free(sums)

    def _parts(self) -> tuple[Index, Index]:
        """The number of rows of the matrix in a part, and of parts: with the columns enough for threads."""
        b, k = self.product.b, self.product.k
        wanted = b.max(b.div(PIECES, b.max(b.ceildiv(self.size, COLUMNS), 1)), 1)
        rows = b.max(b.div(b.add(k, b.sub(wanted, 1)), wanted), LEAST_ROWS)
        rows = b.mul(b.ceildiv(rows, STEPS), STEPS)
        return rows, b.div(b.add(k, b.sub(rows, 1)), rows)

    def _part(
        self,
        batch: Sequence[Index],
        to: tuple[SSAValue, Index],
        rows: tuple[Index, Index],
        columns: tuple[Index, Index],
    ) -> None:
        """The sums of some rows, at some columns, from a row of a buffer on."""
        b, v = self.product.b, self.v
        (sums, base), (start, end) = to, columns
        with b.loop(0, self.few, name="i") as number, b.loop(start, end, self.lanes, name="j", as_it_is=True) as at:
            v.store(v.zero(), sums, [b.add(base, number), at])
        whole = b.add(start, b.mul(b.div(b.sub(end, start), self.lanes), self.lanes))
        many = b.add(rows[0], b.mul(b.div(b.sub(rows[1], rows[0]), STEPS), STEPS))
        for lower, upper, steps, middle in ((rows[0], many, STEPS, whole), (many, rows[1], 1, start)):
            with b.loop(lower, upper, steps, name="k") as first, b.loop(0, self.few, name="i") as number:
                add = self._adder(batch, sums, (b.add(base, number), number), [b.add(first, n) for n in range(steps)])
                if middle is not start:
                    with b.loop(start, middle, self.lanes, name="j", as_it_is=True) as at:
                        add(at, None)
                with b.loop(middle, end, self.lanes, name="j", as_it_is=True) as at:
                    add(at, v.mask(b.sub(end, at)))

    def _adder(
        self, batch: Sequence[Index], sums: SSAValue, where: tuple[Index, Index], rows: Sequence[Index]
    ) -> Callable[[Index, SSAValue | None], None]:
        """Adds rows of the matrix, at a few columns, to a row of the sums: those of a vector. `where` is both."""
        product, b, v = self.product, self.product.b, self.v
        vectors, matrix = product.values[1 - self.operand], product.values[self.operand]
        row, number = where
        xs = [v.splat(b.load(vectors, self._x(batch, number, k))) for k in rows]

        def add(at: Index, mask: SSAValue | None) -> None:
            total = v.load(sums, [row, at])
            for x, k in zip(xs, rows, strict=True):
                total = v.multiply_add(x, v.load(matrix, self._y(batch, k, at), mask), total)
            v.store(total, sums, [row, at])

        return add

    def _gather(self, batch: Sequence[Index], sums: SSAValue, parts: Index, columns: tuple[Index, Index]) -> None:
        """Adds up what the parts gave, one after the other, and stores it."""
        b, v, few = self.product.b, self.v, self.few
        with b.loop(0, few, name="i") as number:
            with b.loop(*columns, self.lanes, name="j") as at:

                def add(part: Index, totals: Sequence[SSAValue]) -> list[SSAValue]:
                    return [b.core.add(totals[0], v.load(sums, [b.add(b.mul(part, few), number), at]))]

                (total,) = b.carried(1, parts, [v.load(sums, [number, at])], add, "p", as_it_is=True)
                v.store(total, sums, [number, at])
            with b.loop(*columns, name="j", vector=bool(self.operand)) as at:
                self._finish(b.load(sums, [number, at]), batch, number, at)

    # The vectors times rows that lie along the sums

    def _deep(self, batch: Sequence[Index]) -> None:
        """A few rows at a time, each with its own lanes."""
        b, few = self.product.b, self.few
        x, place_of_x, buffer = self._vectors(batch)

        def group(first: Index) -> None:
            with (
                b.loop(0, few, GROUP, name="i") as number,
                b.loop(first, b.min(b.add(first, DOTS), self.size), GROUP, name="j") as row,
            ):
                self._dots(batch, (x, place_of_x), (number, GROUP), (row, GROUP))

        with b.parallel([self.size], [DOTS], name="j") as (first,):
            is_one = b.at_most(few, 1)
            one = lambda: self._dots(batch, (x, place_of_x), (0, 1), (first, DOTS))  # noqa: E731
            b.choose(is_one, one, lambda: group(first))
        if buffer is not None:
            b.free(buffer)

    def _dots(
        self,
        batch: Sequence[Index],
        vectors: tuple[SSAValue, Callable[[Index, Index], list[Index]]],
        numbers: tuple[Index, int],
        rows: tuple[Index, int],
    ) -> None:
        """The products of some vectors and some rows of the matrix; the last ones in place of those past them."""
        product, b, v = self.product, self.product.b, self.v
        source, k = product.values[self.operand], product.k
        x, place_of_x = vectors
        whole = b.mul(b.div(k, self.lanes), self.lanes)
        xs, ys = _clamped(b, numbers, self.few), _clamped(b, rows, self.size)

        def step(at: Index, sums: Sequence[SSAValue], mask: SSAValue | None) -> list[SSAValue]:
            known = [v.load(x, place_of_x(number, at), mask) for number in xs]
            loaded = [v.load(source, self._y(batch, at, row), mask) for row in ys]
            pairs = [(p, q) for q in loaded for p in known]
            return [v.multiply_add(p, q, total) for (p, q), total in zip(pairs, sums, strict=True)]

        zeros = [v.zero()] * (len(xs) * len(ys))
        sums = b.carried(0, whole, zeros, lambda at, s: step(at, s, None), "k", by=self.lanes, as_it_is=True)

        def rest(at: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
            return step(at, sums, v.mask(b.sub(k, at)))

        sums = b.carried(whole, k, sums, rest, "k", by=self.lanes, as_it_is=True)
        buffer = b.alloca(product.wide.ir, len(ys), len(xs) * self.lanes)
        for n, total in enumerate(sums):
            v.store(total, buffer, [n // len(xs), n % len(xs) * self.lanes])
        with (
            b.loop(0, b.min(len(ys), b.sub(self.size, rows[0])), name="j") as j,
            b.loop(0, 1 if len(xs) == 1 else b.min(len(xs), b.sub(self.few, numbers[0])), name="i") as i,
        ):
            total = v.total(v.load(buffer, [j, b.mul(i, self.lanes)]))
            self._finish(total, batch, b.add(numbers[0], i), b.add(rows[0], j))

    def _vectors(
        self, batch: Sequence[Index]
    ) -> tuple[SSAValue, Callable[[Index, Index], list[Index]], SSAValue | None]:
        """Vectors with their elements side by side, where each of those is, and the memory for copies, if any."""
        product, b = self.product, self.product.b
        is_dense = product.rows_are_dense(0) if self.operand else product.columns_are_dense(1)
        source = product.values[1 - self.operand]
        if is_dense:
            return source, lambda number, k: self._x(batch, number, k), None
        buffer = b.alloc(product.wide.ir, [self.few, product.k])
        with b.loop(0, self.few, name="i") as number, b.loop(0, product.k, name="k") as k:
            b.store(b.load(source, self._x(batch, number, k)), buffer, [number, k])
        return buffer, lambda number, k: [number, k], buffer


def _clamped(b: Builder, some: tuple[Index, int], size: Index) -> list[Index]:
    """So many numbers from one on; the last that there is in place of those past it."""
    first, count = some
    return [first, *(b.min(b.add(first, n), b.sub(size, 1)) for n in range(1, count))]
