"""Explicit vectors for schedules that lay out their registers themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, MemRefType, VectorType, i1, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.atlas.instructions.scalar import FmaOp, MadOp
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.vector import LoadOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index


def multiply_add(b: Builder, dtype: DType, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
    """x * y + z of scalars, in one rounding where the target can, else in two: for what promises a tolerance."""
    return b.op((FmaOp if b.fused else MadOp)(dtype, x, y, z))


@dataclass(frozen=True)
class Vectors:
    """Emits operations on vectors of `lanes` elements of `dtype`."""

    b: Builder
    dtype: DType
    lanes: int

    @cached_property
    def type(self) -> VectorType[Any]:
        """Of the values."""
        return VectorType(self.dtype.ir, (self.lanes,))

    def zero(self) -> SSAValue:
        """All lanes 0."""
        value = DenseIntOrFPElementsAttr.from_list(self.type, [0.0 if self.dtype.is_float else 0])
        return self.b.once(("zeros", self.type), lambda: self.b.op(arith.ConstantOp(value)))

    def splat(self, value: SSAValue, element: Attribute | None = None) -> SSAValue:
        """A scalar in all lanes; `element` is its type, if not that of the values."""
        kind: VectorType[Any] = self.type if element is None else VectorType(element, (self.lanes,))
        return self.b.op(vector.BroadcastOp(value, kind))

    def mask(self, count: Index) -> SSAValue:
        """The first `count` lanes, none for a negative count."""
        kind: VectorType[Any] = VectorType(i1, (self.lanes,))
        return self.b.op(vector.CreateMaskOp([self.b.index(count)], kind))

    def load(self, source: SSAValue, indices: Sequence[Index], mask: SSAValue | None = None) -> SSAValue:
        """Neighbours along the last axis; 0 where the mask is off."""
        places = [self.b.index(i) for i in indices]
        if mask is None:
            return self.b.op(LoadOp(source, places, self.type))
        return self.b.op(vector.MaskedLoadOp(source, places, mask, self.zero()))

    def store(self, value: SSAValue, target: SSAValue, indices: Sequence[Index], mask: SSAValue | None = None) -> None:
        """Stores neighbours along the last axis, those where the mask is on."""
        places = [self.b.index(i) for i in indices]
        plain = mask is None
        self.b.rw.emit(
            vector.StoreOp(value, target, places) if plain else vector.MaskedStoreOp(target, places, mask, value)
        )

    def multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        """x * y + z; floats round once where the target can, as in the function."""
        if self.dtype.is_float and self.b.fused:
            return self.b.op(vector.FMAOp(x, y, z))
        return self.b.core.add(self.b.core.mul(x, y), z)

    def _part(self, value: SSAValue, start: int, count: int) -> SSAValue:
        """So many neighbouring lanes."""
        mask = DenseArrayBase.from_list(i64, list(range(start, start + count)))
        kind: VectorType[Any] = VectorType(self.dtype.ir, (count,))
        return self.b.op(vector.ShuffleOp(value, value, mask, result_type=kind))

    def total(self, value: SSAValue) -> SSAValue:
        """The sum of the lanes: lane i with lane i + n / 2, and so on."""
        lanes = self.lanes
        while lanes > 1:
            half = lanes // 2
            value, lanes = self.b.core.add(self._part(value, 0, half), self._part(value, half, half)), half
        return self.b.op(vector.ExtractOp(value, [0], self.dtype.ir))


def unit_stride(value: SSAValue) -> bool:
    """Whether neighbours along a memref's last axis are known to be neighbours in memory."""
    strides = cast("MemRefType[Attribute]", value.type).get_strides()
    return bool(strides) and strides[-1] == 1
