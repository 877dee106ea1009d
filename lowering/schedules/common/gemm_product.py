"""The sums of products that schedules compute: of which sizes they are, how factors are read, what is stored for a sum.

`Product` has them of an `atlas.gemm`; schedules for devices have others, which the same tiles compute.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import ArrayOp, shape_of
from hologram.dialects.atlas.instructions.types import DTYPES, DType, dtype_of
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import Access
from hologram.lowering.schedules.common.vectors import multiply_add, unit_stride

Reader = Callable[[Index], tuple[SSAValue, SSAValue | None]]
"""At a k, the element of a row of a (a column of b) in the type of the sums, and whether there is one, if that is not
certain."""


class Sums(ABC):
    """The sums of a product: for each index of a batch, m x n sums of k products."""

    m: Index
    n: Index
    k: Index
    batch: list[Index]

    def __init__(self, b: Builder, op: ArrayOp, dtype: DType, wide: DType):
        self.b, self.op = b, op
        self.dtype = dtype
        """The type of the elements in memory."""
        self.wide = wide
        """The type of the sums."""

    @abstractmethod
    def runs_along_k(self, operand: int) -> bool:
        """Return whether neighbours in memory of a (0) or b (1) are those along k."""

    @abstractmethod
    def reader(self, operand: int, batch: Sequence[Index], at: Index) -> Reader:
        """Return a function that loads elements of a row of a (0) or a column of b (1)."""

    @abstractmethod
    def finish(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> None:
        """Stores what becomes of a sum."""

    def widened(self, value: SSAValue) -> SSAValue:
        """An element in the type of the sums."""
        if self.dtype.is_float:
            return self.b.cvt(self.dtype, self.wide, value)
        return self.b.core.resize(value, self.wide.ir, signed=True)

    def narrowed(self, value: SSAValue) -> SSAValue:
        """A sum in the type of the elements: floats rounded, integers wrapped."""
        if self.dtype.is_float:
            return self.b.cvt(self.wide, self.dtype, value)
        return self.b.core.resize(value, self.dtype.ir, signed=True)

    def one_by_one(self, count: Index | None = None) -> None:
        """Sums of scalars, each of `count` products (all of them if that is not said)."""
        b, wide = self.b, self.wide
        with b.parallel([*self.batch, self.m, self.n], name="j") as (*batch, row, column):
            left, right = self.reader(0, batch, row), self.reader(1, batch, column)

            def step(k: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
                (x, _), (y, exists) = left(k), right(k)
                if exists is not None:
                    y = b.core.select(exists, y, b.constant(0, wide))
                return [multiply_add(b, wide, x, y, sums[0])]

            (total,) = b.carried(0, self.k if count is None else count, [b.constant(0, wide)], step, "k", as_it_is=True)
            self.finish(total, batch, row, column)


class Product(Sums):
    """A gemm to be scheduled."""

    op: GemmOp

    def __init__(self, b: Builder, op: GemmOp):
        dtype = dtype_of(op.element)
        assert dtype is not None
        super().__init__(b, op, dtype, _wide(dtype))
        self.values = [b.rw.value(v) for v in (*op.ins, *op.outs)]
        self.finishing = [Access(b.rw.value(v), m.results) for v, m in op.finishing]
        self.alpha, self.beta = op.scales
        self.has_c = len(op.ins) == 3
        left, right = op.matrix_shapes()
        batch = len(left) - 2
        self.batch = [self._extent(axis) for axis in range(batch)]
        self.m = left[-2] if left[-2] != DYNAMIC_INDEX else self._extent(batch)
        self.n = right[-1] if right[-1] != DYNAMIC_INDEX else self._extent(batch + 1)
        known = next((size for size in (left[-1], right[-2]) if size != DYNAMIC_INDEX), None)
        self.k = b.size(self.values[0], batch + (0 if op.transposed[0] else 1)) if known is None else known

    @property
    def out(self) -> SSAValue:
        return self.values[-1]

    @property
    def stores_vectors(self) -> bool:
        """Return whether sums become elements of the out lane by lane, and rows of it are dense."""
        dense = unit_stride(self.out) and (not self.has_c or unit_stride(self.values[2]))
        return dense and self.dtype is self.wide and not self.op.finish.blocks

    def _extent(self, axis: int) -> Index:
        """A size of the out, static if any operand's type says so."""
        is_batch = axis < len(shape_of(self.op.outs[0].type)) - 2
        sizes = [shape_of(v.type)[axis] for v in (*self.op.outs, *(self.op.ins[:2] if is_batch else ()))]
        known = next((size for size in sizes if size != DYNAMIC_INDEX), None)
        return self.b.size(self.values[-1], axis) if known is None else known

    def rows_are_dense(self, operand: int) -> bool:
        """Return whether a row of a or b, after its transpose, lies in memory as the sums need it."""
        return not self.op.transposed[operand] and unit_stride(self.values[operand]) and self.dtype is self.wide

    def columns_are_dense(self, operand: int) -> bool:
        """Return whether a column of a or b, after its transpose, lies in memory as the sums need it."""
        return self.op.transposed[operand] and unit_stride(self.values[operand]) and self.dtype is self.wide

    def place(self, operand: int, batch: Sequence[Index], row: Index, column: Index) -> list[Index]:
        """The indices of an element of a or b after its transpose, or of c."""
        flip = operand < 2 and self.op.transposed[operand]
        return [*batch, column, row] if flip else [*batch, row, column]

    def element(self, operand: int, batch: Sequence[Index], row: Index, column: Index) -> SSAValue:
        """An element of a, b or c, widened."""
        return self.widened(self.b.load(self.values[operand], self.place(operand, batch, row, column)))

    def runs_along_k(self, operand: int) -> bool:
        return self.op.transposed[operand] == bool(operand)

    def reader(self, operand: int, batch: Sequence[Index], at: Index) -> Reader:
        def read(k: Index) -> tuple[SSAValue, None]:
            row, column = (at, k) if operand == 0 else (k, at)
            return self.element(operand, batch, row, column), None

        return read

    def scale(self, value: float) -> SSAValue:
        """alpha or beta as a scalar."""
        return self.b.constant(value if self.dtype.is_float else int(value), self.wide)

    def finish(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> None:
        """Stores alpha * total + beta * c, or what the finish region makes of it."""
        b = self.b
        if self.alpha != 1:
            total = b.of(self.wide).mul(total, self.scale(self.alpha))
        if self.has_c:
            c = self.element(2, batch, row, column)
            total = multiply_add(b, self.wide, self.scale(self.beta), c, total)
        at, value = [*batch, row, column], self.narrowed(total)
        if self.op.finish.blocks:
            (value,) = b.region(self.op.finish, [value, *(access.load(b, at) for access in self.finishing)])
        b.store(value, self.out, at)


def _wide(dtype: DType) -> DType:
    if dtype.bits >= 32:
        return dtype
    return DTYPES["f32" if dtype.is_float else "i32"]
