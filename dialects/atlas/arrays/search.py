"""Array-level instructions that walk along an axis: argmin, argmax, scan; and scatters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import Kind, KindAttr, element_dtype, identity
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag, without
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import (
    NUMBERS,
    STORED,
    Array,
    DType,
    DTypeAttr,
    reduced_types,
    working_type,
)
from hologram.dialects.lazy import np
from hologram.dialects.shapes import shape_of
from hologram.errors import VerifyError


class ArgOp(ExtensionOp):
    """The base of argmin and argmax."""

    KIND: ClassVar[Kind]
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    FLAGS: ClassVar[frozenset[str]] = frozenset({"nan"})
    axis = prop_def(IntegerAttr)
    type = prop_def(DTypeAttr)
    nan = opt_prop_def(IntegerAttr)

    @property
    def nan_wins(self) -> bool:
        """Whether the first NaN, where there is one, is what is looked for."""
        return flag(self.nan) and self.type.dtype.is_float

    @property
    def kind(self) -> Kind:
        """What the elements combine by to the one that is looked for."""
        return {Kind.min: Kind.min_nan, Kind.max: Kind.max_nan}[self.KIND] if self.nan_wins else self.KIND

    @property
    def may_trap(self) -> bool:
        return shape_of(self.ins[0].type)[self.axis.value.data] <= 0

    def check(self) -> None:
        axis = self.verify_axis(self.axis, self.rank(0))
        if self.type.data not in self.TYPES:
            raise VerifyError("atlas-arg-type", f"'{self.name}' is not defined for {self.type.data.value}")
        self.verify_declared(self.type, 0)
        self.verify_rank(1, self.rank(0) - 1)
        self.verify_indices(1)
        if shape_of(self.ins[0].type)[axis] == 0:
            raise VerifyError("atlas-arg-empty", f"'{self.name}' of no elements: axis {axis} has size 0")

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        kept = without([self.axis.value.data], self.rank(0))
        yield from (((0, axis), (1, n)) for n, axis in enumerate(kept))

    def evaluate(self, *ins: Array) -> Array:
        """The first place of the least or greatest, or 0 where all are NaN; with `nan` that of the first NaN."""
        axis, dtype = self.axis.value.data, self.type.dtype
        if ins[0].shape[axis] == 0:
            raise reference.Unmet("no elements along the axis")
        moved = np.moveaxis(ins[0], axis, -1)
        values, best = view(moved, dtype), view(reference.combine(self.kind, dtype, moved), dtype)[..., None]
        equal = (values == best) | (values != values) if self.nan_wins else values == best
        return np.argmax(equal, axis=-1).astype(element_dtype(self.outs[0]).numpy)


@irdl_op_definition
class ArgminOp(ArgOp):
    """The index of the least element along `axis`, the lowest on ties (both zeros are equal).

    NaN only counts if all elements are: the index is then 0. With `nan` the first NaN is what is found, as in numpy.
    Along an empty axis there is none: a trap. `type` says how integers are read. The out has the in's shape without the
    axis, and i32 or i64 elements.

    Example::

        atlas.argmin ins(%x : memref<8x?xf32>) outs(%i : memref<8xi64>) {axis = 1 : i64, type = #atlas.dtype<f32>}
    """

    name = "atlas.argmin"
    KIND: ClassVar[Kind] = Kind.min


@irdl_op_definition
class ArgmaxOp(ArgOp):
    """The index of the greatest element along `axis`; ties, NaN and empty axes are as in `atlas.argmin`.

    Example::

        atlas.argmax ins(%x : memref<8x?xi8>) outs(%i : memref<8xi64>) {axis = 1 : i64, type = #atlas.dtype<u8>}
    """

    name = "atlas.argmax"
    KIND: ClassVar[Kind] = Kind.max


@irdl_op_definition
class ScanOp(ExtensionOp):
    """Element i along `axis` combines the elements up to and including i by `kind`; with `exclusive` those before i.

    Of no elements it is the identity (a float sum +0). Integers wrap and are exact; float sums and products of n
    elements promise (n + 1) u times the sum (the product) of their magnitudes, not bits, u being half a unit in the
    last place of 1 in f32 (f64 for f64); those below 32 bits are combined in f32, and rounded where stored. min and max
    skip NaN, the `.nan` forms keep it. The in may be the out.

    Example::

        atlas.scan ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
          {axis = 0 : i64, kind = #atlas.kind<add>, type = #atlas.dtype<f32>, exclusive = 1 : i64}
    """

    name = "atlas.scan"
    FLAGS: ClassVar[frozenset[str]] = frozenset({"exclusive"})
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    TYPES: ClassVar[frozenset[str]] = NUMBERS | STORED
    axis = prop_def(IntegerAttr)
    kind = prop_def(KindAttr)
    type = prop_def(DTypeAttr)
    exclusive = opt_prop_def(IntegerAttr)

    @property
    def combiner(self) -> tuple[Kind, DType]:
        return self.kind.data, self.type.dtype

    @property
    def is_exclusive(self) -> bool:
        return flag(self.exclusive)

    def check(self) -> None:
        self.verify_axis(self.axis, self.rank(0))
        self.verify_rank(1, self.rank(0))
        if self.type.data not in reduced_types(self.kind.data.value):
            raise VerifyError(
                "atlas-scan-type", f"a scan by {self.kind.data.value} is not defined for {self.type.data.value}"
            )
        for number in (0, 1):
            self.verify_declared(self.type, number)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 1)

    def evaluate(self, *ins: Array) -> Array:
        """Element by element."""
        kind, dtype = self.combiner
        work = working_type(kind.value, dtype)
        moved = np.moveaxis(converted(dtype, work, ins[0]), self.axis.value.data, -1)
        total = reference.filled(moved.shape[:-1], identity(kind, work), work)
        before = reference.filled(moved.shape[:-1], reference.empty_value(kind, work), work)
        out = np.empty_like(moved)
        for i in range(moved.shape[-1]):
            total = reference.apply(kind.value, work, total, moved[..., i])
            out[..., i] = before if self.is_exclusive else total
            before = total
        return converted(work, dtype, np.moveaxis(out, -1, self.axis.value.data))


class ScatteringOp(ExtensionOp):
    """The base of scatters, which change slices along an axis one after the other."""

    ARITY: ClassVar[tuple[int, ...]] = (3,)
    axis = prop_def(IntegerAttr)
    TRAPS: ClassVar[bool] = True

    def check(self) -> None:
        self.verify_axis(self.axis, self.rank(0))
        self.verify_indices(1)
        self.verify_rank(2, self.rank(0) - 1 + self.rank(1))
        self.verify_rank(3, self.rank(0))
        self.verify_element(self.ins[0], self.ins[2])

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        axis, indices = self.axis.value.data, self.rank(1)
        yield from self.same(0, 3)
        yield from (((2, axis + n), (1, n)) for n in range(indices))
        kept = [*range(axis), *range(axis + indices, self.rank(2))]
        yield from (((2, n), (3, d)) for n, d in zip(kept, without([axis], self.rank(0)), strict=True))

    @abstractmethod
    def joined(self, old: Array, new: Array) -> Array:
        """What becomes of a slice that is there and one that comes to it."""

    def evaluate(self, *ins: Array) -> Array:
        """Slice by slice, in the order of the indices."""
        x, indices, update = ins
        axis = self.axis.value.data
        reference.check_indices(indices, x.shape[axis])
        out = np.moveaxis(x.copy(), axis, 0)
        places = range(axis, axis + indices.ndim)
        slices = np.moveaxis(update, list(places), list(range(indices.ndim)))
        for number in np.ndindex(indices.shape):
            at = int(indices[number])
            out[at] = self.joined(out[at], slices[number])
        return np.moveaxis(out, 0, axis)


@irdl_op_definition
class ScatterOp(ScatteringOp):
    """The first in, with slices along `axis` at the indices of the second replaced by those of the third.

    The third in has the shape of the first with `axis` replaced by the shape of the indices. Indices are signed; out of
    range traps. Of slices with equal indices the last one, row-major, wins. The first in may be the out: then only the
    slices are written.

    Example::

        atlas.scatter ins(%x, %i, %u : memref<8x4xf32>, memref<3xi64>, memref<3x4xf32>) outs(%x : memref<8x4xf32>)
          {axis = 0 : i64}
    """

    name = "atlas.scatter"

    def joined(self, old: Array, new: Array) -> Array:
        return new


@irdl_op_definition
class ScatterReduceOp(ScatteringOp):
    """The first in, with slices along `axis` at the indices of the second combined with those of the third by `kind`.

    Shapes and indices are as in `atlas.scatter`. Slices with equal indices are combined one after the other, row-major,
    and rounded to the type each time, so that the result has the same bits in every run. Integers wrap. min and max
    skip NaN, the `.nan` forms keep it. The first in may be the out.

    Example::

        atlas.scatter_reduce ins(%x, %i, %u : memref<8x4xf32>, memref<3xi64>, memref<3x4xf32>)
          outs(%x : memref<8x4xf32>) {axis = 0 : i64, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
    """

    name = "atlas.scatter_reduce"
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    kind = prop_def(KindAttr)
    type = prop_def(DTypeAttr)

    def check(self) -> None:
        super().check()
        self.verify_types(0, self.TYPES)
        self.verify_declared(self.type, 0)

    def joined(self, old: Array, new: Array) -> Array:
        return reference.apply(self.kind.data.value, self.type.dtype, old, new)


OPS: list[type[Operation]] = [ArgminOp, ArgmaxOp, ScanOp, ScatterOp, ScatterReduceOp]
