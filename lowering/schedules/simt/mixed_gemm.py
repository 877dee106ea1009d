"""The schedule of `atlas.mixed_precision_gemm` for blocks of threads: that of gemm, with elements widened on their way
into workgroup memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.extension import flag
from hologram.dialects.atlas.products import MixedPrecisionGemmOp
from hologram.dialects.atlas.types import DTYPES, DType, dtype_of
from hologram.dialects.shapes import element_type
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.simt.gemm import GemmParameters, Reader, Tiles
from hologram.lowering.schedules.simt.tensor_core import Matrices, on_tensor_cores
from hologram.lowering.schedules.vectors import multiply_add

F32 = DTYPES["f32"]


def _dtype(value: SSAValue) -> DType:
    dtype = dtype_of(element_type(value.type))
    assert dtype is not None
    return dtype


class _Mixed:
    """The sums of a product whose operands have types of their own."""

    wide: DType = F32

    def __init__(self, b: Builder, op: MixedPrecisionGemmOp):
        self.b, self.op = b, op
        self.values = [b.rw.value(v) for v in (*op.ins, *op.outs)]
        self.types = [_dtype(v) for v in (*op.ins, *op.outs)]
        self.flips = flag(op.trans_a), flag(op.trans_b)
        self.alpha, self.beta = (1.0 if v is None else v.value.data for v in (op.alpha, op.beta))
        sizes = [b.sizes(v) for v in self.values]
        self.batch: list[Index] = sizes[-1][:-2]
        self.m, self.n = sizes[-1][-2:]
        rows, columns = sizes[0][-2:]
        self.k: Index = rows if self.flips[0] else columns

    def runs_along_k(self, operand: int) -> bool:
        """Whether a is not transposed, or b is."""
        return self.flips[operand] == bool(operand)

    def reader(self, operand: int, batch: Sequence[Index], at: Index) -> Reader:
        """Elements as they lie."""
        return partial(self._element, operand, batch, at)

    def _element(self, operand: int, batch: Sequence[Index], at: Index, k: Index) -> tuple[SSAValue, None]:
        place = [at, k] if self.runs_along_k(operand) else [k, at]
        return self._cvt(self.types[operand], F32, self.b.load(self.values[operand], [*batch, *place])), None

    def _cvt(self, source: DType, target: DType, value: SSAValue) -> SSAValue:
        return value if source is target else self.b.op(scalar.CvtOp(source, target, value))

    def finish(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> None:
        """alpha * total + beta * c, rounded once."""
        b, at = self.b, [*batch, row, column]
        if self.alpha != 1:
            total = b.op(scalar.MulOp(F32, total, b.constant(self.alpha, F32)))
        if len(self.op.ins) == 3:
            total = multiply_add(b, F32, b.constant(self.beta, F32), b.load(self.values[2], at), total)
        b.store(self._cvt(F32, self.types[-1], total), self.values[-1], at)


def schedule_mixed_gemm(b: Builder, op: MixedPrecisionGemmOp, target: Target, parameters: GemmParameters) -> None:
    """Tiles, or tensor cores, if there is anything to sum up."""
    sums = _Mixed(b, op)
    tiled = Tiles(sums, target, parameters).emit
    if not sums.batch and len(op.ins) == 2 and sums.types[0] is sums.types[1]:
        types, extents = (sums.types[0], sums.types[-1]), (sums.m, sums.n, sums.k)
        matrices = Matrices((sums.values[0], sums.values[1], sums.values[2]), types, extents, sums.flips, sums.alpha)
        tiled = on_tensor_cores(b, target, matrices, tiled)
    b.choose(b.at_most(1, sums.k), tiled, lambda: _zeros(sums))


def _zeros(sums: _Mixed) -> None:
    """What is stored for sums of nothing."""
    b = sums.b
    with b.parallel([*sums.batch, sums.m, sums.n], name="j") as (*batch, row, column):
        sums.finish(b.constant(0, F32), batch, row, column)
