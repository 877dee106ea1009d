"""Operations that make, move and combine tensors (value form, static and dynamic shapes)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.types import DTYPES, Array
from hologram.dialects.hologram.base import Sizes, SizesOf, TensorOp, dtype_in, element_of, integers, shape_of
from hologram.dialects.hologram.reductions import MatmulOp, ReduceKindAttr, ReduceOp, SoftmaxOp
from hologram.dialects.lazy import np
from hologram.dialects.shapes import DYNAMIC, Dense, is_dense, is_tensor
from hologram.dialects.sizes import Requirement, Size
from hologram.errors import VerifyError, parse_error


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """A tensor known at compile time.

    Example::

        %c = hologram.constant dense<[1.0, 2.0]> : tensor<2xf32>
    """

    name = "hologram.constant"
    value = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: Dense):
        super().__init__(result_types=[value.get_type()], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        value = parser.parse_attribute()
        if not is_dense(value) or not is_tensor(value.get_type()):
            parse_error(parser, "hologram-constant", "expected dense<...> with a tensor type", at=start)
        op = cls(value)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        actual = self.value.get_type()
        if actual != self.result.type:
            raise VerifyError("hologram-constant-type", f"the value has type {actual}, the result {self.result.type}")

    def fold(self) -> tuple[Attribute, ...]:
        return (self.value,)


@irdl_op_definition
class DimOp(TensorOp, HasFolderInterface):
    """The size of a tensor along an axis.

    Example::

        %n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
    """

    name = "hologram.dim"
    axis = prop_def(IntegerAttr[I64])
    x = operand_def(TensorType)
    result = result_def(IndexType)
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, axis: int):
        super().__init__(operands=[x], result_types=[IndexType()], properties={"axis": IntegerAttr(axis, i64)})

    def verify_(self) -> None:
        self.axis_in(self.axis.value.data, len(shape_of(self.x)))

    def fold(self) -> tuple[Attribute, ...] | None:
        size = shape_of(self.x)[self.axis.value.data]
        return None if size == DYNAMIC else (IntegerAttr(size, IndexType()),)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return [sizes(self.x)[self.axis.value.data]]


@irdl_op_definition
class FillOp(TensorOp):
    """A tensor with every element equal to a scalar.

    Example::

        %t = hologram.fill %c sizes(%n) : f32 to tensor<?x4xf32>
    """

    name = "hologram.fill"
    value = operand_def()
    sizes = var_operand_def(IndexType())
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if self.value.type != element_of(self.result):
            raise VerifyError("hologram-fill-type", f"'{self.name}' of {self.value.type} can't make {self.result.type}")
        self.verify_given(self.sizes)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return self.given_sizes(self.sizes, sizes)

    @property
    def tensors(self) -> Sequence[SSAValue]:
        return [self.value]

    @property
    def size_operands(self) -> Sequence[SSAValue]:
        return self.sizes

    def evaluate(self, *operands: Array) -> Array:
        value, *sizes = operands
        return np.full(self.given_shape(sizes), value, value.dtype)


@irdl_op_definition
class IotaOp(TensorOp):
    """The indices along an axis: each element is its place there. Integers wrap; floats are rounded to the nearest.

    Example::

        %i = hologram.iota sizes(%n) {axis = 1 : i64} : tensor<4x?xi64>
    """

    name = "hologram.iota"
    axis = prop_def(IntegerAttr[I64])
    sizes = var_operand_def(IndexType())
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if (dtype := dtype_in(self.result)) is None or dtype.bits > 64 or not (dtype.is_integer or dtype.is_float):
            raise VerifyError(
                "hologram-iota-type",
                f"'{self.name}' has no elements of {element_of(self.result)}",
                hint="they are integers of 8 to 64 bits or floats: convert with hologram.cast",
            )
        self.axis_in(self.axis.value.data, len(shape_of(self.result)))
        self.verify_given(self.sizes)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return self.given_sizes(self.sizes, sizes)

    def evaluate(self, *operands: Array) -> Array:
        shape, axis, dtype = self.given_shape(operands), self.axis.value.data, dtype_in(self.result)
        assert dtype is not None
        along = [size if n == axis else 1 for n, size in enumerate(shape)]
        indices = converted(DTYPES["i64"], dtype, np.arange(shape[axis], dtype=np.int64))
        return np.broadcast_to(indices.reshape(along), shape)


@irdl_op_definition
class BroadcastOp(TensorOp):
    """Repeats a tensor along new axes and axes of static size 1. Axis i of the operand is axis `axes[i]` of the result;
    without `axes` the trailing axes correspond, as in numpy.

    Example::

        %r = hologram.broadcast %x sizes(%m) {axes = [1 : i64]} : tensor<4xf32> to tensor<?x4xf32>
    """

    name = "hologram.broadcast"
    axes = opt_prop_def(ArrayAttr[IntegerAttr[I64]])
    x = operand_def(TensorType)
    sizes = var_operand_def(IndexType())
    result = result_def(TensorType)
    traits = traits_def(Pure())

    @property
    def result_axes(self) -> list[int]:
        """The result's axis of each operand axis."""
        rank = len(shape_of(self.x))
        if self.axes is not None:
            return integers(self.axes)
        whole = len(shape_of(self.result))
        return list(range(whole - rank, whole))

    def verify_(self) -> None:
        source, target, axes = shape_of(self.x), shape_of(self.result), self.result_axes
        if len(axes) != len(source) or axes != sorted(set(axes)) or any(not 0 <= a < len(target) for a in axes):
            raise VerifyError(
                "hologram-broadcast-axes",
                f"axes {axes} must place the {len(source)} axes of the operand in ascending order among {len(target)}",
            )
        for axis, size in zip(axes, source, strict=True):
            if size != 1 and DYNAMIC not in (size, target[axis]) and size != target[axis]:
                raise VerifyError(
                    "hologram-broadcast-size",
                    f"size {size} can't broadcast to size {target[axis]} along axis {axis}",
                )
        self.verify_same_element(self.x)
        self.verify_given(self.sizes)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return self.given_sizes(self.sizes, sizes)

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        x_sizes, result = sizes(self.x), self.result_sizes(sizes)
        return [
            Requirement(result[axis], "==", size)
            for axis, size, static in zip(self.result_axes, x_sizes, shape_of(self.x), strict=True)
            if static != 1
        ]

    def evaluate(self, *operands: Array) -> Array:
        x, *sizes = operands
        shape = self.given_shape(sizes)
        spread = [1] * len(shape)
        for axis, size in zip(self.result_axes, x.shape, strict=True):
            spread[axis] = size
        return np.broadcast_to(x.reshape(spread), shape)


@irdl_op_definition
class ReshapeOp(TensorOp):
    """The same elements in row-major order under another shape. One dynamic size may be left out of `sizes`: it follows
    from the number of elements.

    Example::

        %r = hologram.reshape %x : tensor<?x4xf32> to tensor<?xf32>
    """

    name = "hologram.reshape"
    x = operand_def(TensorType)
    sizes = var_operand_def(IndexType())
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        self.verify_same_element(self.x)
        if self.sizes or sum(n == DYNAMIC for n in shape_of(self.result)) != 1:
            self.verify_given(self.sizes)
        source, target = shape_of(self.x), shape_of(self.result)
        if DYNAMIC not in source and DYNAMIC not in target and _product(source) != _product(target):
            raise VerifyError(
                "hologram-reshape-count", f"{_product(source)} elements do not fill a shape of {_product(target)}"
            )

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        if self.sizes or DYNAMIC not in shape_of(self.result):
            return self.given_sizes(self.sizes, sizes)
        rest = Size.of(_product([n for n in shape_of(self.result) if n != DYNAMIC]))
        missing = _total(sizes(self.x)) // rest if rest.constant else Size.of(0)
        return [missing if n == DYNAMIC else Size.of(n) for n in shape_of(self.result)]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return [Requirement(_total(sizes(self.x)), "==", _total(self.result_sizes(sizes)))]

    def evaluate(self, *operands: Array) -> Array:
        x, *sizes = operands
        if sizes or DYNAMIC not in shape_of(self.result):
            return x.reshape(self.given_shape(sizes))
        rest = _product([n for n in shape_of(self.result) if n != DYNAMIC])
        return x.reshape([x.size // (rest or 1) if n == DYNAMIC else n for n in shape_of(self.result)])


def _product(shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _total(sizes: Sizes) -> Size:
    count = Size.of(1)
    for size in sizes:
        count = count * size
    return count


@irdl_op_definition
class TransposeOp(TensorOp):
    """Permutes axes: axis i of the result is axis `permutation[i]` of the operand.

    Example::

        %r = hologram.transpose %x {permutation = [1 : i64, 0 : i64]} : tensor<?x4xf32> to tensor<4x?xf32>
    """

    name = "hologram.transpose"
    permutation = prop_def(ArrayAttr[IntegerAttr[I64]])
    x = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        order, source = integers(self.permutation), shape_of(self.x)
        if sorted(order) != list(range(len(source))):
            raise VerifyError("hologram-permutation", f"{order} is no permutation of the {len(source)} axes")
        self.verify_shape(shape_of(self.result), [source[a] for a in order])
        self.verify_same_element(self.x)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        x_sizes = sizes(self.x)
        return [x_sizes[a] for a in integers(self.permutation)]

    def evaluate(self, *operands: Array) -> Array:
        return operands[0].transpose(integers(self.permutation))


@irdl_op_definition
class SliceOp(TensorOp):
    """Elements `starts + i * strides` along each axis; the result's shape says how many. Strides may be negative.

    Example::

        %r = hologram.slice %x {starts = [1 : i64], strides = [2 : i64]} : tensor<8xf32> to tensor<3xf32>
    """

    name = "hologram.slice"
    starts = prop_def(ArrayAttr[IntegerAttr[I64]])
    strides = prop_def(ArrayAttr[IntegerAttr[I64]])
    x = operand_def(TensorType)
    sizes = var_operand_def(IndexType())
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        source, target = shape_of(self.x), shape_of(self.result)
        starts, strides = integers(self.starts), integers(self.strides)
        if not len(source) == len(target) == len(starts) == len(strides):
            raise VerifyError(
                "hologram-slice-rank",
                f"'{self.name}' needs a start, a stride and a size for each of the {len(source)} axes",
            )
        if min(starts, default=0) < 0 or 0 in strides:
            raise VerifyError("hologram-slice-stride", "starts are at least 0 and strides not 0")
        for axis, (size, start, stride, count) in enumerate(zip(source, starts, strides, target, strict=True)):
            last = start + (count - 1) * stride
            if count not in (0, DYNAMIC) and (last < 0 or size != DYNAMIC and max(start, last) >= size):
                raise VerifyError(
                    "hologram-slice-bounds",
                    f"the slice reaches from {start} to {last} along axis {axis} of size {size}",
                )
        self.verify_same_element(self.x)
        self.verify_given(self.sizes)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return self.given_sizes(self.sizes, sizes)

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        wanted: list[Requirement] = []
        result = self.result_sizes(sizes)
        for size, start, stride, count, static in zip(
            sizes(self.x), integers(self.starts), integers(self.strides), result, shape_of(self.result), strict=True
        ):
            if static == 0:
                continue
            # Each bound is multiplied by the count, since an empty slice reaches nothing.
            times = Size.of(1) if count.constant else count
            last = Size.of(start) + (count - Size.of(1)) * Size.of(stride)
            highest = last if stride > 0 else Size.of(start)
            wanted.append(Requirement(times * (size - Size.of(1) - highest), ">=", Size.of(0)))
            if stride < 0:
                wanted.append(Requirement(times * last, ">=", Size.of(0)))
        return wanted

    def evaluate(self, *operands: Array) -> Array:
        x, *sizes = operands
        rows = zip(integers(self.starts), integers(self.strides), self.given_shape(sizes), strict=True)
        for axis, (start, stride, count) in enumerate(rows):
            x = np.take(x, start + stride * np.arange(count), axis=axis)
        return x


@irdl_op_definition
class ConcatOp(TensorOp):
    """Joins tensors along `axis`.

    Example::

        %r = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
    """

    name = "hologram.concat"
    axis = prop_def(IntegerAttr[I64])
    parts = var_operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not self.parts:
            raise VerifyError("hologram-concat-empty", "'hologram.concat' needs at least one tensor")
        axis, target = self.axis.value.data, list(shape_of(self.result))
        self.axis_in(axis, len(target))
        self.verify_same_element(*self.parts)
        total = 0
        for part in self.parts:
            shape = list(shape_of(part))
            along = shape[axis] if len(shape) == len(target) else 0
            total = DYNAMIC if DYNAMIC in (total, along) else total + along
            if len(shape) == len(target):
                shape[axis] = target[axis]
            self.verify_shape(shape, target)
        if DYNAMIC not in (total, target[axis]) and total != target[axis]:
            raise VerifyError(
                "hologram-concat-size",
                f"the parts have size {total} along axis {axis}, the result {target[axis]}",
            )

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        axis = self.axis.value.data
        known = [sizes(p) for p in self.parts]
        result = [next((s for s in column if s.constant is not None), column[0]) for column in zip(*known, strict=True)]
        total = Size.of(0)
        for part in known:
            total = total + part[axis]
        result[axis] = total
        return result

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        result = self.result_sizes(sizes)
        return [
            Requirement(result[i], "==", size)
            for part in self.parts
            for i, size in enumerate(sizes(part))
            if i != self.axis.value.data
        ]

    def evaluate(self, *operands: Array) -> Array:
        return np.concatenate(operands, axis=self.axis.value.data)


@irdl_op_definition
class GatherOp(TensorOp):
    """Takes slices along `axis` at signed indices, as numpy.take; an index out of range traps (also a negative one).

    Example::

        %r = hologram.gather %x, %i {axis = 0 : i64} : (tensor<8x4xf32>, tensor<?xi64>) -> tensor<?x4xf32>
    """

    name = "hologram.gather"
    axis = prop_def(IntegerAttr[I64])
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def()

    def verify_(self) -> None:
        source, indices, axis = shape_of(self.x), shape_of(self.indices), self.axis.value.data
        self.axis_in(axis, len(source))
        index = element_of(self.indices)
        if not isinstance(index, IntegerType) or index.bitwidth not in (32, 64):
            raise VerifyError("hologram-gather-index", f"indices are i32 or i64, found {index}")
        self.verify_shape(shape_of(self.result), [*source[:axis], *indices, *source[axis + 1 :]])
        self.verify_same_element(self.x)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        axis, x_sizes = self.axis.value.data, sizes(self.x)
        return [*x_sizes[:axis], *sizes(self.indices), *x_sizes[axis + 1 :]]

    def evaluate(self, *operands: Array) -> Array:
        return reference.gather(*operands, axis=self.axis.value.data)


OPS = (
    ConstantOp, DimOp, FillOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp, SliceOp, ConcatOp, GatherOp, ReduceOp,
    SoftmaxOp, MatmulOp,
)  # fmt: skip

__all__ = [
    "OPS", "BroadcastOp", "ConcatOp", "ConstantOp", "DimOp", "FillOp", "GatherOp", "IotaOp", "MatmulOp",
    "ReduceKindAttr", "ReduceOp", "ReshapeOp", "SliceOp", "SoftmaxOp", "TransposeOp",
]  # fmt: skip
