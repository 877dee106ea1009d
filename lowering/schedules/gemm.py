"""The CPU schedule of `atlas.gemm`: a panel of columns of b, packed and widened once, against tiles of rows of a.

The accumulators of a tile stay in vector registers: LLVM turns their small array into them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i1
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, element_type, shape_of
from hologram.dialects.atlas.named import GemmOp
from hologram.dialects.atlas.types import DTYPES, DType, dtype_of
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.reduction import reduction


@dataclass(frozen=True)
class GemmParameters:
    """`rows` and `columns` of the tile whose accumulators are held in registers; `block`: the columns that a single row
    is multiplied with at once, where there are fewer rows than a tile has and packing does not pay."""

    rows: int = 4
    columns: int = 16
    block: int = 1024


def schedule_gemm(b: Builder, op: GemmOp, target: Target, parameters: GemmParameters) -> None:
    """Batches and panels of columns in parallel."""
    _Gemm(b, op, parameters).emit()


class _Gemm:
    def __init__(self, b: Builder, op: GemmOp, parameters: GemmParameters):
        self.b, self.op, self.parameters = b, op, parameters
        self.values = [b.rw.value(v) for v in (*op.ins, *op.outs)]
        dtype = dtype_of(element_type(op.outs[0].type))
        assert dtype is not None
        self.dtype = dtype
        self.wide = DTYPES["f32"] if dtype.is_float and dtype.bits < 32 else dtype
        left, right = op.matrix_shapes()
        batch = len(left) - 2
        self.batch = [self._extent(axis) for axis in range(batch)]
        self.m = left[-2] if left[-2] != DYNAMIC_INDEX else self._extent(batch)
        self.n = right[-1] if right[-1] != DYNAMIC_INDEX else self._extent(batch + 1)
        flip = op.transposed[0]
        known = next((size for size in (left[-1], right[-2]) if size != DYNAMIC_INDEX), None)
        self.k = b.size(self.values[0], batch + (0 if flip else 1)) if known is None else known

    def _extent(self, axis: int) -> Index:
        """A size of the out, static if any operand's type says so."""
        is_batch = axis < len(shape_of(self.op.outs[0].type)) - 2
        sizes = [shape_of(v.type)[axis] for v in (*self.op.outs, *(self.op.ins[:2] if is_batch else ()))]
        known = next((size for size in sizes if size != DYNAMIC_INDEX), None)
        return self.b.size(self.values[-1], axis) if known is None else known

    # Elements

    def _element(self, operand: int, batch: Sequence[Index], row: Index, column: Index) -> SSAValue:
        if operand < 2 and self.op.transposed[operand]:
            row, column = column, row
        return _cvt(self.b, self.dtype, self.wide, self.b.load(self.values[operand], [*batch, row, column]))

    def _multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        return self.b.op(scalar.FmaOp(self.wide, x, y, z))

    def _scaled(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> SSAValue:
        """alpha * total + beta * c in the out's type."""
        b, (alpha, beta) = self.b, self.op.scales
        if alpha != 1:
            total = b.op(scalar.MulOp(self.wide, total, b.constant(alpha, self.wide)))
        if len(self.op.ins) == 3:
            c = self._element(2, batch, row, column)
            total = self._multiply_add(b.constant(beta, self.wide), c, total)
        return _cvt(b, self.wide, self.dtype, total)

    # Code

    def emit(self) -> None:
        rows = self.parameters.rows
        if isinstance(self.m, int):
            (self._single_rows if self.m < rows else self._panels)()
            return
        few = self.b.compare("ult", self.m, rows)
        with self.b.when(few):
            self._single_rows()
        with self.b.when(self.b.op(arith.XOrIOp(few, self.b.op(arith.ConstantOp(IntegerAttr(1, i1)))))):
            self._panels()

    def _single_rows(self) -> None:
        """Row by row: dot products where b is transposed, else multiples of the rows of b added up."""
        b, block = self.b, self.parameters.block
        if self.op.transposed[1]:
            with b.parallel([*self.batch, self.m, self.n], name="j") as indices:
                self._dot(*indices)
            return
        with b.parallel([*self.batch, self.m, self.n], [1] * (len(self.batch) + 1) + [block], name="j") as indices:
            *batch, row, start = indices
            width = b.min(b.sub(self.n, start), block)
            sums = b.alloca(self.wide.ir, block)
            with b.loop(0, width, name="t") as t:
                b.store(b.constant(0, self.wide), sums, [t])
            with b.loop(0, self.k, name="k") as k:
                x = self._element(0, batch, row, k)
                with b.loop(0, width, name="t") as t:
                    y = self._element(1, batch, k, b.add(start, t))
                    b.store(self._multiply_add(x, y, b.load(sums, [t])), sums, [t])
            with b.loop(0, width, name="t") as t:
                at = (row, b.add(start, t))
                b.store(self._scaled(b.load(sums, [t]), batch, *at), self.values[-1], [*batch, *at])

    def _dot(self, *indices: Index) -> None:
        *batch, row, column = indices

        def product(place: Sequence[Index], t: Index) -> list[SSAValue]:
            x, y = self._element(0, batch, row, place[0]), self._element(1, batch, place[0], column)
            return [self.b.op(scalar.MulOp(self.wide, x, y))]

        total = reduction(self.b, [(Kind.add, self.wide)], [self.k], product).result(0, 0)
        self.b.store(self._scaled(total, batch, row, column), self.values[-1], [*batch, row, column])

    def _panels(self) -> None:
        b, columns = self.b, self.parameters.columns
        with b.parallel([*self.batch, self.n], [1] * len(self.batch) + [columns], name="j") as indices:
            *batch, start = indices
            width = b.min(b.sub(self.n, start), columns)
            panel = self._pack(batch, start, width)
            full = b.div(self.m, self.parameters.rows)
            split = b.mul(full, self.parameters.rows)
            sums = b.alloca(self.wide.ir, self.parameters.rows * columns)
            with b.loop(0, split, self.parameters.rows, name="i") as row:
                self._tile(panel, sums, batch, row, self.parameters.rows, start, width)
            with b.loop(split, self.m, name="i") as row:
                self._tile(panel, sums, batch, row, 1, start, width)
            b.rw.emit(memref.DeallocOp.get(panel))

    def _pack(self, batch: Sequence[Index], start: Index, width: Index) -> SSAValue:
        """The columns of b from `start`, k x columns, filled up with zeros."""
        b, columns = self.b, self.parameters.columns
        size = [] if isinstance(self.k, int) else [self.k]
        shape = [self.k if isinstance(self.k, int) else DYNAMIC_INDEX, columns]
        panel = b.op(memref.AllocOp.get(self.wide.ir, None, shape, size))
        with b.loop(0, self.k, name="k") as k:
            with b.loop(0, width, name="t") as t:
                b.store(self._element(1, batch, k, b.add(start, t)), panel, [k, t])
            if width != columns:
                with b.loop(width, columns, name="t") as t:
                    b.store(b.constant(0, self.wide), panel, [k, t])
        return panel

    def _tile(
        self, panel: SSAValue, sums: SSAValue, batch: Sequence[Index], row: Index, rows: int, start: Index, width: Index
    ) -> None:
        b, columns = self.b, self.parameters.columns
        with b.loop(0, rows * columns, name="t") as t:
            b.store(b.constant(0, self.wide), sums, [t])
        with b.loop(0, self.k, name="k") as k:
            for i in range(rows):
                x = self._element(0, batch, b.add(row, i), k)
                with b.loop(0, columns, name="t") as t:
                    place = b.add(i * columns, t)
                    b.store(self._multiply_add(x, b.load(panel, [k, t]), b.load(sums, [place])), sums, [place])
        for i in range(rows):
            with b.loop(0, width, name="t") as t:
                total = b.load(sums, [b.add(i * columns, t)])
                at = (b.add(row, i), b.add(start, t))
                b.store(self._scaled(total, batch, *at), self.values[-1], [*batch, *at])


def _cvt(b: Builder, source: DType, target: DType, value: SSAValue) -> SSAValue:
    return value if source is target else b.op(scalar.CvtOp(source, target, value))
