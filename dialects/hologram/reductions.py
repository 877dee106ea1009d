"""Operations that combine elements: reductions, softmax, matrix products."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, TensorType, UnitAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import Kind, element_dtype
from hologram.dialects.atlas.instructions.types import Array, DType, reduced_types
from hologram.dialects.hologram.base import Sizes, SizesOf, TensorOp, dtype_in, element_of, integers, shape_of
from hologram.dialects.shapes import DYNAMIC
from hologram.dialects.sizes import Requirement
from hologram.errors import VerifyError, parse_word


class ReduceKind(StrEnum):
    """Reductions over axes."""

    sum = "sum"
    product = "product"
    min = "min"
    max = "max"


COMBINERS = {
    ReduceKind.sum: Kind.add, ReduceKind.product: Kind.mul, ReduceKind.min: Kind.min_nan, ReduceKind.max: Kind.max_nan,
}  # fmt: skip
"""The kind of `atlas` that combines as each kind here does."""


@irdl_attr_definition
class ReduceKindAttr(EnumAttribute[ReduceKind]):
    """A reduction's kind, printed bare inside `hologram.reduce`."""

    name = "hologram.reduce_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ReduceKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_op_definition
class ReduceOp(TensorOp):
    """Combines elements over `axes`, which the result leaves out, with the association of isa.md section 3.

    Sums and products of floats below 32 bits are taken in f32 and rounded once (those of 8 bits know no other kind);
    min and max let NaN win. An empty reduction gives 0, 1, the greatest or the least value.

    Example::

        %s = hologram.reduce sum %x {axes = [1 : i64]} : tensor<4x?xf32> to tensor<4xf32>
    """

    name = "hologram.reduce"
    FLAGS: ClassVar[tuple[str, ...]] = ("unsigned",)
    kind = prop_def(ReduceKindAttr)
    axes = prop_def(ArrayAttr[IntegerAttr[I64]])
    unsigned = opt_prop_def(UnitAttr)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        known = [k.value for k in ReduceKind]
        otherwise = "the reductions are " + " ".join(known)
        name = parse_word(parser, known, "hologram-reduce-kind", "a reduction", otherwise)
        return {"kind": ReduceKindAttr(ReduceKind(name))} | super().parse_head(parser)

    def print_head(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data.value}")
        super().print_head(printer)

    @property
    def combiner(self) -> Kind:
        """The kind of `atlas` that combines alike."""
        return COMBINERS[self.kind.data]

    @property
    def dtype(self) -> DType:
        """The ISA type of the elements."""
        dtype = dtype_in(self.x, unsigned=self.unsigned is not None)
        assert dtype is not None
        return dtype

    def verify_(self) -> None:
        shape, axes = shape_of(self.x), integers(self.axes)
        if axes != sorted(set(axes)):
            raise VerifyError("hologram-reduce-axes", f"the axes {axes} must ascend")
        for axis in axes:
            self.axis_in(axis, len(shape))
        dtype = dtype_in(self.x)
        if dtype is None or dtype.name not in reduced_types(self.combiner.value):
            raise VerifyError(
                "hologram-reduce-type", f"'{self.name}' is not defined for elements of {element_of(self.x)}"
            )
        if self.unsigned is not None and not dtype.is_integer:
            raise VerifyError("hologram-reduce-unsigned", f"'{self.name} unsigned' needs integers, found {dtype.name}")
        self.verify_shape(shape_of(self.result), [n for i, n in enumerate(shape) if i not in axes])
        self.verify_same_element(self.x)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return [s for i, s in enumerate(sizes(self.x)) if i not in integers(self.axes)]

    def evaluate(self, *operands: Array) -> Array:
        return reference.combine_axes(self.combiner, self.dtype, *operands, axes=integers(self.axes))


@irdl_op_definition
class SoftmaxOp(TensorOp):
    """m = max(x), e = exp(x - m), e / sum(e) along `axis`; floats below 32 bits in f32.

    Example::

        %y = hologram.softmax %x {axis = 1 : i64} : tensor<?x?xf32>
    """

    name = "hologram.softmax"
    axis = prop_def(IntegerAttr[I64])
    x = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        self.axis_in(self.axis.value.data, len(shape_of(self.x)))
        dtype = dtype_in(self.x)
        if dtype is None or not dtype.is_float:
            raise VerifyError("hologram-softmax-type", f"'{self.name}' needs floats, found {element_of(self.x)}")
        self.verify_shape(shape_of(self.result), shape_of(self.x))
        self.verify_same_element(self.x)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return sizes(self.x)

    def evaluate(self, *operands: Array) -> Array:
        return reference.softmax(element_dtype(self.x), *operands, axis=self.axis.value.data)


@irdl_op_definition
class MatmulOp(TensorOp):
    """The matrix product over the last two axes; leading axes are a batch and equal in both. A tolerance, not bits.

    Example::

        %c = hologram.matmul %a, %b : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    """

    name = "hologram.matmul"
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        a, b = shape_of(self.a), shape_of(self.b)
        if len(a) < 2 or len(a) != len(b):
            raise VerifyError(
                "hologram-matmul-rank",
                f"'{self.name}' takes two matrices or equal batches of them, found ranks {len(a)} and {len(b)}",
            )
        dtype = dtype_in(self.a)
        if dtype is None or dtype.kind == "bool":
            raise VerifyError(
                "hologram-matmul-type", f"'{self.name}' is not defined for elements of {element_of(self.a)}"
            )
        self.verify_shape(b[:-1], [*a[:-2], a[-1]])
        batch = [y if x == DYNAMIC else x for x, y in zip(a[:-2], b[:-2], strict=True)]
        self.verify_shape(shape_of(self.result), [*batch, a[-2], b[-1]])
        self.verify_same_element(self.a, self.b)

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        a, b = sizes(self.a), sizes(self.b)
        batch = [y if x.constant is None else x for x, y in zip(a[:-2], b[:-2], strict=True)]
        return [*batch, a[-2], b[-1]]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        a, b = sizes(self.a), sizes(self.b)
        pairs = [*zip(a[:-2], b[:-2], strict=True), (a[-1], b[-2])]
        return [Requirement(x, "==", y) for x, y in pairs if x != y]

    def evaluate(self, *operands: Array) -> Array:
        a, b = operands
        return reference.product(element_dtype(self.a), a, b)
