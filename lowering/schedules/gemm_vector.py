"""`atlas.gemm` of a single row (or column): a vector times a matrix, as fast as the matrix is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Index
from hologram.lowering.schedules.gemm_product import Product
from hologram.lowering.schedules.vectors import Vectors, carried

STEPS = 8
"""The rows of the matrix that are added up at a time."""
COLUMNS = 1024
"""The sums that are kept in the nearest cache."""
DOTS = 8
"""The rows that are multiplied with the vector at a time, where the sums run along them."""


@dataclass(frozen=True)
class RowTimesMatrix:
    """A row of one operand times the other, both as the product has them after their transposes.

    With `operand` 1 the matrix is b, and the row is that of a. With 0 the matrix is a transposed, and the row is the
    column of b: what is stored then is a column of the out.
    """

    product: Product
    operand: int
    lanes: int
    masks: bool

    @property
    def is_wide(self) -> bool:
        """Whether the columns of the matrix lie side by side."""
        product = self.product
        return product.rows_are_dense(1) if self.operand else product.columns_are_dense(0)

    @property
    def is_possible(self) -> bool:
        """Whether the matrix lies well, and sums are stored as they are."""
        product = self.product
        dense = product.columns_are_dense(1) if self.operand else product.rows_are_dense(0)
        return product.dtype is product.wide and self.masks and (self.is_wide or dense)

    @property
    def size(self) -> Index:
        """How many sums there are."""
        return self.product.n if self.operand else self.product.m

    def emit(self, batch: Sequence[Index]) -> None:
        """The sums, each in the order of k, or along the rows of the matrix in that of the lanes."""
        (self._wide if self.is_wide else self._deep)(batch)

    def _x(self, batch: Sequence[Index], k: Index) -> list[Index]:
        return self.product.place(0, batch, 0, k) if self.operand else self.product.place(1, batch, k, 0)

    def _y(self, batch: Sequence[Index], k: Index, column: Index) -> list[Index]:
        place = self.product.place
        return place(1, batch, k, column) if self.operand else place(0, batch, column, k)

    def _finish(self, total: SSAValue, batch: Sequence[Index], column: Index) -> None:
        row, column = (0, column) if self.operand else (column, 0)
        self.product.finish(total, batch, row, column)

    def _wide(self, batch: Sequence[Index]) -> None:
        """Multiples of the rows of the matrix, added up."""
        product, b, v = self.product, self.product.b, Vectors(self.product.b, self.product.wide, self.lanes)
        source, k = product.values[self.operand], product.k
        many = b.mul(b.div(k, STEPS), STEPS)

        def add(sums: SSAValue, start: Index, width: Index, first: Index, rows: int) -> None:
            xs = [
                v.splat(b.load(product.values[1 - self.operand], self._x(batch, b.add(first, n)))) for n in range(rows)
            ]

            def step(at: Index, mask: SSAValue | None) -> None:
                total = v.load(sums, [at])
                for n, x in enumerate(xs):
                    place = self._y(batch, b.add(first, n), b.add(start, at))
                    total = v.multiply_add(x, v.load(source, place, mask), total)
                v.store(total, sums, [at])

            whole = b.mul(b.div(width, self.lanes), self.lanes)
            with b.loop(0, whole, self.lanes, name="j", as_it_is=True) as at:
                step(at, None)
            with b.loop(whole, width, self.lanes, name="j", as_it_is=True) as at:
                step(at, v.mask(b.sub(width, at)))

        with b.parallel([self.size], [COLUMNS], name="j") as (start,):
            width = b.min(b.sub(self.size, start), COLUMNS)
            sums = b.alloca(product.wide.ir, COLUMNS)
            with b.loop(0, width, self.lanes, name="j", as_it_is=True) as at:
                v.store(v.zero(), sums, [at])
            with b.loop(0, many, STEPS, name="k") as first:
                add(sums, start, width, first, STEPS)
            with b.loop(many, k, name="k") as first:
                add(sums, start, width, first, 1)
            with b.loop(0, width, name="j", vector=bool(self.operand)) as at:
                self._finish(b.load(sums, [at]), batch, b.add(start, at))

    def _deep(self, batch: Sequence[Index]) -> None:
        """The vector times rows that lie along the sums: a few at a time, each with its own lanes."""
        product, b, v = self.product, self.product.b, Vectors(self.product.b, self.product.wide, self.lanes)
        source, k, size = product.values[self.operand], product.k, self.size
        x, place_of_x, buffer = self._row(batch)
        whole = b.mul(b.div(k, self.lanes), self.lanes)

        def dots(rows: Sequence[Index]) -> list[SSAValue]:
            def step(at: Index, sums: Sequence[SSAValue], mask: SSAValue | None) -> list[SSAValue]:
                known = v.load(x, place_of_x(at), mask)
                return [
                    v.multiply_add(known, v.load(source, self._y(batch, at, row), mask), total)
                    for row, total in zip(rows, sums, strict=True)
                ]

            sums = carried(b, (0, whole, self.lanes), [v.zero()] * len(rows), lambda k, s: step(k, s, None), "k")
            return carried(b, (whole, k, self.lanes), sums, lambda at, s: step(at, s, v.mask(b.sub(k, at))), "k")

        with b.parallel([size], [DOTS], name="j") as (first,):
            rows = [first, *(b.min(b.add(first, n), b.sub(size, 1)) for n in range(1, DOTS))]
            for n, sums in enumerate(dots(rows)):
                row = b.add(first, n)
                is_there = True if n == 0 else b.compare("slt", row, size)
                b.choose(is_there, lambda sums=sums, row=row: self._finish(v.total(sums), batch, row), lambda: None)
        if buffer is not None:
            b.rw.emit(memref.DeallocOp.get(buffer))

    def _row(self, batch: Sequence[Index]) -> tuple[SSAValue, Callable[[Index], list[Index]], SSAValue | None]:
        """The row with its elements side by side, where each of them is, and the memory it was copied to if it was."""
        product, b = self.product, self.product.b
        is_dense = product.rows_are_dense(0) if self.operand else product.columns_are_dense(1)
        source = product.values[1 - self.operand]
        if is_dense:
            return source, lambda k: self._x(batch, k), None
        shape = [product.k if isinstance(product.k, int) else DYNAMIC_INDEX]
        dynamic = [] if isinstance(product.k, int) else [product.k]
        buffer = b.op(memref.AllocOp.get(product.wide.ir, 64, shape, dynamic))
        with b.loop(0, product.k, name="k") as k:
            b.store(b.load(source, self._x(batch, k)), buffer, [k])
        return buffer, lambda k: [k], buffer
