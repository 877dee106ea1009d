"""The CPU schedule of `atlas.sparse_gemm`: rows in parallel, the sums of a tile of columns in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.arrays.sparse import SparseGemmOp
from hologram.dialects.atlas.instructions.types import widened
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.common.vectors import Vectors, multiply_add, unit_stride
from hologram.lowering.schedules.cpu.reduction import reduction

CHAINS = 4
"""The sums that one element is added up in, a power of two."""


@dataclass(frozen=True)
class SparseParameters:
    """`rows`: that one iteration of the parallel loop takes; `vectors`: of a tile of columns."""

    rows: int = 32
    vectors: int = 4


def schedule_sparse(b: Builder, op: SparseGemmOp, target: Target, parameters: SparseParameters) -> None:
    """Each row from its first element to its last, for every tile of columns."""
    _Sparse(b, op, target, parameters).emit()


class _Sparse:
    def __init__(self, b: Builder, op: SparseGemmOp, target: Target, parameters: SparseParameters):
        self.b, self.target, self.parameters = b, target, parameters
        self.values, self.indices, self.starts, self.dense, self.out = (b.rw.value(v) for v in (*op.ins, *op.outs))
        self.dtype = dtype = dtype_in(self.values)
        self.wide = widened(dtype)
        lanes = max(1, target.vector_bytes * 8 // dtype.bits)
        has_vectors = dtype is self.wide and 8 <= dtype.bits <= 64 and target.vector_bytes >= 32
        self.is_vector = has_vectors and unit_stride(self.dense) and unit_stride(self.out)
        self.v = Vectors(b, dtype, lanes)
        self.rows, self.columns = b.sizes(self.out)
        self.depth, self.count = b.size(self.dense, 0), b.size(self.values, 0)

    def emit(self) -> None:
        b = self.b
        expected = b.add(self.rows, 1)
        actual = b.size(self.starts, 0)
        text = "atlas.sparse_gemm: there must be one row start more than rows of the out"
        b.check(b.compare("eq", actual, expected), text, actual, expected)
        with b.parallel([self.rows], [self.parameters.rows], name="chunk") as (first,):
            last = b.min(b.add(first, self.parameters.rows), self.rows)
            self._check(first, last)
            with b.loop(first, last, name="i") as row:
                self._row(row)

    def _check(self, first: Index, last: Index) -> None:
        """The rows' starts ascend; then one number tells of all their indices, whose greatest it is."""
        b = self.b
        with b.loop(first, last, name="i") as row:
            start, end = (self._number(self.starts, at) for at in (row, b.add(row, 1)))
            inside = b.both(b.compare("ule", start, end), b.compare("ule", end, self.count))
            text = "atlas.sparse_gemm: row starts must ascend and end inside of the values"
            b.check(inside, text, start, end, lane=row)
        base, end = self._number(self.starts, first), self._number(self.starts, last)
        dtype = dtype_in(self.indices, unsigned=True)
        greatest = reduction(
            b, [(Kind.max, dtype)], [b.sub(end, base)], lambda r, t: [b.load(self.indices, [b.add(base, r[0])])],
            target=self.target,
        ).result(0, 0)  # fmt: skip
        index = b.to_index(greatest)
        held = b.core.either(b.compare("ult", index, self.depth), b.compare("eq", base, end))
        b.check(held, "atlas.sparse_gemm: index out of range", index, self.depth)

    def _row(self, row: Index) -> None:
        b = self.b
        start, end = (self._number(self.starts, at) for at in (row, b.add(row, 1)))
        if not self.is_vector:
            with b.loop(0, self.columns, name="j") as j:
                self._element(row, start, end, j)
            return
        width = self.v.lanes * self.parameters.vectors
        whole = b.mul(b.div(self.columns, width), width)
        with b.loop(0, whole, width, name="j", as_it_is=True) as j:
            self._tile(row, start, end, [b.add(j, n * self.v.lanes) for n in range(self.parameters.vectors)], None)
        one = b.compare("eq", self.columns, 1)
        b.choose(one, lambda: self._element(row, start, end, 0), lambda: self._rest(row, start, end, whole))

    def _rest(self, row: Index, start: Index, end: Index, first: Index) -> None:
        b = self.b
        with b.loop(first, self.columns, self.v.lanes, name="j", as_it_is=True) as j:
            self._tile(row, start, end, [j], self.v.mask(b.sub(self.columns, j)))

    def _number(self, source: SSAValue, at: Index) -> SSAValue:
        return self.b.to_index(self.b.load(source, [at]))

    def _tile(
        self, row: Index, start: Index, end: Index, columns: Sequence[Index], mask: SSAValue | None
    ) -> None:  # fmt: skip
        """Neighbouring vectors of a row."""
        b, v = self.b, self.v

        def step(p: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
            index, factor = self._number(self.indices, p), v.splat(b.load(self.values, [p]))
            loaded = [v.load(self.dense, [index, column], mask) for column in columns]
            return [v.multiply_add(factor, x, total) for x, total in zip(loaded, sums, strict=True)]

        sums = b.carried(start, end, [v.zero()] * len(columns), step, "p", as_it_is=True)
        for total, column in zip(sums, columns, strict=True):
            v.store(total, self.out, [row, column], mask)

    def _element(self, row: Index, start: Index, end: Index, column: Index) -> None:
        """One element of a row."""
        b, wide = self.b, self.wide

        def widened(value: SSAValue) -> SSAValue:
            return b.cvt(self.dtype, wide, value)

        def added(p: Index, total: SSAValue) -> SSAValue:
            index = self._number(self.indices, p)
            factor, x = widened(b.load(self.values, [p])), widened(b.load(self.dense, [index, column]))
            return multiply_add(b, wide, factor, x, total)

        def step(p: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
            return [added(b.add(p, n), total) for n, total in enumerate(sums)]

        # Several sums, for one multiply-add would wait for the one before it; one of wide integers is much code.
        chains = 1 if wide.bits > 64 else CHAINS
        whole = b.sub(end, b.rem(b.sub(end, start), chains))
        sums = b.carried(start, whole, [b.constant(0, wide)] * chains, step, "p", by=chains, as_it_is=True)
        while len(sums) > 1:
            sums = [b.of(wide).add(x, y) for x, y in zip(sums[::2], sums[1::2], strict=True)]
        (total,) = sums if chains == 1 else b.carried(whole, end, sums, step, "p", as_it_is=True)
        b.store(b.cvt(wide, self.dtype, total), self.out, [row, column])
