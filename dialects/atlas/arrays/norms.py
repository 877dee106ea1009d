"""Array-level normalisations: ((x - mu) / sqrt(v + eps)) * gamma + beta, each operation rounded as written; and the
scale of a layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, prop_def

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import Kind, element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.types import FLOATS, NUMBERS, STORED, Array, DType, widened
from hologram.dialects.lazy import np
from hologram.dialects.shapes import shape_of
from hologram.errors import VerifyError


class NormOp(ExtensionOp):
    """The base of the normalisations: the formula of isa.md section 3, instruction by instruction."""

    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    ARITY: ClassVar[tuple[int, ...]] = (3,)
    TYPES: ClassVar[frozenset[str]] = FLOATS | STORED
    eps = prop_def(FloatAttr[Float64Type])

    @property
    def work(self) -> DType:
        """The type that is computed in."""
        return widened(element_dtype(self.ins[0]))

    def widen(self, *ins: Array) -> list[Array]:
        """The operands in the type that is computed in."""
        return [converted(element_dtype(self.ins[0]), self.work, x) for x in ins]

    def stored(self, result: Array) -> Array:
        """The result in the type of the out."""
        return converted(self.work, element_dtype(self.ins[0]), result)

    def statistics(self, rows: Array) -> tuple[Array, Array]:
        """mu and v over the last axis, which they keep with size 1."""
        count = reference.number(rows.shape[-1], self.work)
        mean = self._mean(rows, count)
        d = reference.apply("sub", self.work, rows, mean)
        return mean, self._mean(reference.apply("mul", self.work, d, d), count)

    def _mean(self, rows: Array, count: Array) -> Array:
        return reference.apply("div", self.work, reference.combine(Kind.add, self.work, rows), count)[..., None]

    def scaled(self, rows: Array, mean: Array, variance: Array, gamma: Array, beta: Array) -> Array:
        """((x - mu) / sqrt(v + eps)) * gamma + beta."""
        work = self.work
        shifted = reference.apply("add", work, variance, reference.number(self.eps.value.data, work))
        deviation = reference.apply("sqrt", work, shifted)
        unit = reference.apply("div", work, reference.apply("sub", work, rows, mean), deviation)
        return reference.apply("add", work, reference.apply("mul", work, unit, gamma), beta)


class ChannelNormOp(NormOp):
    """The base of the normalisations over channels: in 0 and the out have axes (batch, channels, ...)."""

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
class LayerNormOp(NormOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta over the last axes of x, those that gamma and beta have.

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n over these axes, each operation rounded as written, sums in the
    association of isa.md section 3. Floats below 32 bits are computed in f32 and rounded once. A NaN or an infinity
    makes its rows NaN.

    Example::

        atlas.layer_norm ins(%x, %g, %b : memref<?x?xf32>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>)
          {eps = 1.0e-5 : f64}
    """

    name = "atlas.layer_norm"

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

    def evaluate(self, *ins: Array) -> Array:
        x, gamma, beta = self.widen(*ins)
        rows = x.reshape(*x.shape[: x.ndim - gamma.ndim], gamma.size)
        result = self.scaled(rows, *self.statistics(rows), gamma.reshape(-1), beta.reshape(-1))
        return self.stored(result.reshape(x.shape))


@irdl_op_definition
class BatchNormOp(ChannelNormOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta for each channel, axis 1 of x.

    The ins are x, gamma, beta, mu and v (inference); without the last two mu = sum(x) / n and
    v = sum((x - mu) * (x - mu)) / n over all other axes (training). Rounding is that of `atlas.layer_norm`.

    Example::

        atlas.batch_norm ins(%x, %g, %b, %m, %v : memref<?x8x?x?xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>,
          memref<8xf32>) outs(%y : memref<?x8x?x?xf32>) {eps = 1.0e-5 : f64}
    """

    name = "atlas.batch_norm"
    ARITY: ClassVar[tuple[int, ...]] = (3, 5)

    def evaluate(self, *ins: Array) -> Array:
        x, gamma, beta, *given = self.widen(*ins)
        moved = np.moveaxis(x, 1, 0)
        rows = moved.reshape(x.shape[1], -1)
        mean, variance = (v[:, None] for v in given) if given else self.statistics(rows)
        result = self.scaled(rows, mean, variance, gamma[:, None], beta[:, None])
        return self.stored(np.moveaxis(result.reshape(moved.shape), 0, 1))


@irdl_op_definition
class GroupNormOp(ChannelNormOp):
    """((x - mu) / sqrt(v + eps)) * gamma + beta, mu and v over groups of neighbouring channels of each batch element.

    The ins are x (batch, channels, ...), gamma and beta (channels). mu = sum(x) / n and
    v = sum((x - mu) * (x - mu)) / n over the channels of a group and the axes after them. The number of channels is a
    multiple of `groups` (else a trap). Rounding is that of `atlas.layer_norm`.

    Example::

        atlas.group_norm ins(%x, %g, %b : memref<?x8x?x?xf32>, memref<8xf32>, memref<8xf32>)
          outs(%y : memref<?x8x?x?xf32>) {groups = 4 : i64, eps = 1.0e-5 : f64}
    """

    name = "atlas.group_norm"
    groups = prop_def(IntegerAttr)

    @property
    def may_trap(self) -> bool:
        return shape_of(self.ins[0].type)[1] < 0

    def check(self) -> None:
        super().check()
        groups, channels = self.groups.value.data, shape_of(self.ins[0].type)[1]
        if groups < 1 or (channels > 0 and channels % groups):
            raise VerifyError("atlas-groups", f"{channels} channels do not make {groups} equal groups in '{self.name}'")

    def evaluate(self, *ins: Array) -> Array:
        x, gamma, beta = self.widen(*ins)
        groups = self.groups.value.data
        if x.shape[1] % groups:
            raise reference.Unmet("the channels do not make equal groups")
        places = int(np.prod(x.shape[2:], dtype=np.int64))
        part = x.shape[1] // groups
        rows = x.reshape(x.shape[0], groups, part * places)
        weights = [np.repeat(w.reshape(groups, part), places, axis=1) for w in (gamma, beta)]
        return self.stored(self.scaled(rows, *self.statistics(rows), *weights).reshape(x.shape))


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

    def evaluate(self, *ins: Array) -> Array:
        return reference.apply("mul", element_dtype(self.outs[0]), *ins)


OPS: list[type[Operation]] = [LayerNormOp, BatchNormOp, GroupNormOp, LayerScaleOp]
