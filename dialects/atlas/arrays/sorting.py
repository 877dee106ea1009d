"""Array-level instructions of the order of elements: sort and argsort along an axis, and searchsorted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import BOOL, NUMBERS, Array, DType, DTypeAttr, widened
from hologram.dialects.lazy import np
from hologram.errors import VerifyError


class SortingOp(ExtensionOp):
    """The base of sort and argsort."""

    FLAGS: ClassVar[frozenset[str]] = frozenset({"descending"})
    TYPES: ClassVar[frozenset[str]] = NUMBERS | BOOL
    axis = prop_def(IntegerAttr)
    type = prop_def(DTypeAttr)
    descending = opt_prop_def(IntegerAttr)

    @property
    def is_descending(self) -> bool:
        return flag(self.descending)

    def check(self) -> None:
        self.verify_axis(self.axis, self.rank(0))
        self.verify_rank(1, self.rank(0))
        if self.type.data not in self.TYPES:
            raise VerifyError("atlas-sort-type", f"'{self.name}' is not defined for {self.type.data.value}")
        self.verify_declared(self.type, 0)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 1)

    def places(self, x: Array) -> Array:
        """The index of each element of the sorted array along the axis."""
        return places(self.type.dtype, x, self.axis.value.data, is_descending=self.is_descending)


def keys(dtype: DType, x: Array) -> Array:
    """Elements as numbers that numpy puts in order."""
    wide = widened(dtype)
    return view(converted(dtype, wide, x), wide)


def places(dtype: DType, x: Array, axis: int, *, is_descending: bool) -> Array:
    """The stable order along an axis: equal elements keep theirs, and NaN is greater than everything."""
    values = keys(dtype, x)
    if not is_descending:
        return np.argsort(values, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(backwards, axis)


@irdl_op_definition
class SortOp(SortingOp):
    """The elements in ascending order along `axis`; with `descending` in descending order.

    Equal elements keep their order, as do both zeros, which are equal. NaN is greater than +inf, so it comes last, and
    first in descending order; all kinds of NaN are equal. `type` says how integers are read. The in may be the out.

    Example::

        atlas.sort ins(%x : memref<8x?xf32>) outs(%y : memref<8x?xf32>) {axis = 1 : i64, type = #atlas.dtype<f32>}
    """

    name = "atlas.sort"

    def check(self) -> None:
        super().check()
        self.verify_declared(self.type, 1)

    def evaluate(self, *ins: Array) -> Array:
        return np.take_along_axis(ins[0], self.places(ins[0]), self.axis.value.data)


@irdl_op_definition
class ArgsortOp(SortingOp):
    """The indices, of i32 or i64, of the elements that `atlas.sort` gives along `axis`, in its order.

    Example::

        atlas.argsort ins(%x : memref<8x?xi8>) outs(%i : memref<8x?xi64>)
          {axis = 1 : i64, type = #atlas.dtype<u8>, descending = 1 : i64}
    """

    name = "atlas.argsort"

    def check(self) -> None:
        super().check()
        self.verify_indices(1)

    def evaluate(self, *ins: Array) -> Array:
        return self.places(ins[0]).astype(element_dtype(self.outs[0]).numpy)


@irdl_op_definition
class SearchsortedOp(ExtensionOp):
    """For each element of the second in, how many elements of the first are less: where it would stand among them.

    With `right`, how many are not greater. The first in has one axis, along which it ascends in the order of
    `atlas.sort`; where it does not, the result is some number from 0 to its size. The out has the shape of the second
    in, and i32 or i64 elements. `type` says how integers are read.

    Example::

        atlas.searchsorted ins(%s, %x : memref<?xf32>, memref<8x?xf32>) outs(%i : memref<8x?xi64>)
          {type = #atlas.dtype<f32>, right = 1 : i64}
    """

    name = "atlas.searchsorted"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    FLAGS: ClassVar[frozenset[str]] = frozenset({"right"})
    TYPES: ClassVar[frozenset[str]] = NUMBERS | BOOL
    type = prop_def(DTypeAttr)
    right = opt_prop_def(IntegerAttr)

    @property
    def is_right(self) -> bool:
        return flag(self.right)

    def check(self) -> None:
        self.verify_rank(0, 1)
        self.verify_rank(2, self.rank(1))
        self.verify_types(0, self.TYPES)
        for number in (0, 1):
            self.verify_declared(self.type, number)
        self.verify_indices(2)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(1, 2)

    def evaluate(self, *ins: Array) -> Array:
        values, wanted = (keys(self.type.dtype, x) for x in ins)
        side = "right" if self.is_right else "left"
        return np.searchsorted(values, wanted, side).astype(element_dtype(self.outs[0]).numpy)


OPS: list[type[Operation]] = [SortOp, ArgsortOp, SearchsortedOp]
