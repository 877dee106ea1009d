"""Array-level normalisations: ((x - mu) / sqrt(v + eps)) * gamma + beta, each operation rounded as written; and the
scale of a layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, prop_def

from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place
from hologram.dialects.atlas.instructions.types import FLOATS, NUMBERS, STORED
from hologram.dialects.shapes import shape_of
from hologram.errors import VerifyError


class NormOp(ExtensionOp):
    """What the normalisations over channels share: in 0 and the out have axes (batch, channels, ...)."""

    TYPES: ClassVar[frozenset[str]] = FLOATS | STORED

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(0, *range(2, 9))
        self.verify_rank(self.out, self.rank(0))
        for number in range(1, len(self.ins)):
            self.verify_rank(number, 1)
        self.verify_element(*self.ins)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, self.out)
        yield from (((number, 0), (0, 1)) for number in range(1, len(self.ins)))


@irdl_op_definition
class LayerNormOp(ExtensionOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta over the last axes of x, those that gamma and beta have.

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n over these axes, each operation rounded as written, sums in the
    association of isa.md section 3. Floats below 32 bits are computed in f32 and rounded once. A NaN or an infinity
    makes its rows NaN.

    Example::

        atlas.layer_norm ins(%x, %g, %b : memref<?x?xf32>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>)
          {eps = 1.0e-5 : f64}
    """

    name = "atlas.layer_norm"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    ARITY: ClassVar[tuple[int, ...]] = (3,)
    TYPES: ClassVar[frozenset[str]] = FLOATS | STORED
    eps = prop_def(FloatAttr[Float64Type])

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(1, *range(1, self.rank(0) + 1))
        self.verify_rank(2, self.rank(1))
        self.verify_rank(3, self.rank(0))
        self.verify_element(*self.ins)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 3)
        outer = self.rank(0) - self.rank(1)
        for number in (1, 2):
            yield from (((number, axis), (0, outer + axis)) for axis in range(self.rank(1)))


@irdl_op_definition
class BatchNormOp(NormOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta for each channel, axis 1 of x.

    The ins are x, gamma, beta, mu and v (inference); without the last two mu = sum(x) / n and
    v = sum((x - mu) * (x - mu)) / n over all other axes (training). Rounding is that of `atlas.layer_norm`.

    Example::

        atlas.batch_norm ins(%x, %g, %b, %m, %v : memref<?x8x?x?xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>,
          memref<8xf32>) outs(%y : memref<?x8x?x?xf32>) {eps = 1.0e-5 : f64}
    """

    name = "atlas.batch_norm"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    ARITY: ClassVar[tuple[int, ...]] = (3, 5)
    eps = prop_def(FloatAttr[Float64Type])


@irdl_op_definition
class GroupNormOp(NormOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta, mu and v over groups of neighbouring channels of each batch element.

    The ins are x (batch, channels, ...), gamma and beta (channels). mu = sum(x) / n and
    v = sum((x - mu) * (x - mu)) / n over the channels of a group and the axes after them. The number of channels is a
    multiple of `groups` (else a trap). Rounding is that of `atlas.layer_norm`.

    Example::

        atlas.group_norm ins(%x, %g, %b : memref<?x8x?x?xf32>, memref<8xf32>, memref<8xf32>)
          outs(%y : memref<?x8x?x?xf32>) {groups = 4 : i64, eps = 1.0e-5 : f64}
    """

    name = "atlas.group_norm"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    ARITY: ClassVar[tuple[int, ...]] = (3,)
    groups = prop_def(IntegerAttr)
    eps = prop_def(FloatAttr[Float64Type])

    @property
    def may_trap(self) -> bool:
        return shape_of(self.ins[0].type)[1] < 0

    def check(self) -> None:
        super().check()
        groups, channels = self.groups.value.data, shape_of(self.ins[0].type)[1]
        if groups < 1 or (channels > 0 and channels % groups):
            raise VerifyError("atlas-groups", f"{channels} channels do not make {groups} equal groups in '{self.name}'")


@irdl_op_definition
class LayerScaleOp(ExtensionOp):
    """x * scale, with one factor for each place of x's last axis.

    Example::

        atlas.layer_scale ins(%x, %s : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>)
    """

    name = "atlas.layer_scale"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    TYPES: ClassVar[frozenset[str]] = NUMBERS

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(0, *range(1, 9))
        self.verify_rank(1, 1)
        self.verify_rank(2, self.rank(0))
        self.verify_element(*self.ins)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 2)
        yield (1, 0), (0, self.rank(0) - 1)


OPS: list[type[Operation]] = [LayerNormOp, BatchNormOp, GroupNormOp, LayerScaleOp]
