"""The operations that are made of the generators, over tensors: sums, products, matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, TensorType, UnitAttr
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def

from hologram.dialects.algebra.generators import GeneratorOp
from hologram.dialects.hologram.base import Sizes, SizesOf, integers
from hologram.dialects.shapes import DYNAMIC, compatible, shape_of, show_shape
from hologram.dialects.sizes import Requirement, Size
from hologram.errors import VerifyError

if TYPE_CHECKING:
    from hologram.dialects.torus.base import Array


class DerivedOp(GeneratorOp):
    """The base: tensors of one ring."""

    result = result_def(TensorType)

    def check_shape(self, expected: Sequence[int]) -> None:
        """Check that the result may have this shape."""
        shape = shape_of(self.result.type)
        if not compatible(shape, expected):
            raise VerifyError(
                "algebra-shape", f"'{self.name}' gives shape {show_shape(expected)}, not {show_shape(shape)}"
            )


class ReductionOp(DerivedOp):
    """The base of reductions over `axes`."""

    axes = prop_def(ArrayAttr[IntegerAttr[I64]])
    x = operand_def(TensorType)

    @property
    def kept(self) -> list[int]:
        """The axes that stay."""
        return [a for a in range(len(shape_of(self.x.type))) if a not in integers(self.axes)]

    def verify_(self) -> None:
        axes, shape = integers(self.axes), shape_of(self.x.type)
        if axes != sorted(set(axes)) or any(not 0 <= a < len(shape) for a in axes):
            raise VerifyError(
                "algebra-axes", f"axes {axes} of '{self.name}' must be ascending axes of rank {len(shape)}"
            )
        self.verify_elements(self.x, self.result)
        self.check_shape([shape[a] for a in self.kept])

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return [sizes(self.x)[a] for a in self.kept]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return []

    def evaluate(self, *args: Array) -> Any:
        return getattr(self.ring, self.FUNCTION)(args[0], integers(self.axes))


@irdl_op_definition
class SumOp(ReductionOp):
    """The sum of the elements over `axes`; zero of none.

    Example::

        %s = algebra.sum %x {axes = [1 : i64]} : tensor<?x4x!torus.coord> to tensor<?x!torus.coord>
    """

    name = "algebra.sum"
    FUNCTION: ClassVar[str] = "sum"


@irdl_op_definition
class ProductOp(ReductionOp):
    """The product of the elements over `axes`; one of none. To be compiled the axes need static sizes.

    Example::

        %p = algebra.product %x {axes = [1 : i64]} : tensor<?x4x!torus.coord> to tensor<?x!torus.coord>
    """

    name = "algebra.product"
    FUNCTION: ClassVar[str] = "product"


@irdl_op_definition
class MatmulOp(DerivedOp):
    """The product of two matrices, or of two stacks of matrices: sums of products.

    Example::

        %c = algebra.matmul %a, %b : (tensor<?x8x!torus.coord>, tensor<8x?x!torus.coord>) -> tensor<?x?x!torus.coord>
    """

    name = "algebra.matmul"
    FUNCTION: ClassVar[str] = "matmul"
    a = operand_def(TensorType)
    b = operand_def(TensorType)

    def verify_(self) -> None:
        a, b = shape_of(self.a.type), shape_of(self.b.type)
        if len(a) < 2 or len(a) != len(b) or not compatible((*a[:-2], a[-1]), (*b[:-2], b[-2])):
            raise VerifyError(
                "algebra-matmul-shapes", f"'{self.name}' can't multiply shapes {show_shape(a)} and {show_shape(b)}"
            )
        self.verify_elements(self.a, self.b, self.result)
        self.check_shape([*a[:-1], b[-1]])

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return [*sizes(self.a)[:-1], sizes(self.b)[-1]]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        a, b = sizes(self.a), sizes(self.b)
        pairs = zip([*a[:-2], a[-1]], [*b[:-2], b[-2]], strict=True)
        return [Requirement(left, "==", right) for left, right in pairs]


@irdl_op_definition
class ConvolveOp(DerivedOp):
    """The convolution of two sequences: element k is the sum of a[i] ⊗ b[k - i]. It has as many elements as both
    together, less one. With `circular` indices count modulo the length, which is that of both. The first has a static
    length, with `circular` both; and neither is empty.

    Example::

        %c = algebra.convolve %a, %b : (tensor<3x!torus.coord>, tensor<?x!torus.coord>) -> tensor<?x!torus.coord>
        %d = algebra.convolve circular %a, %b : tensor<3x!torus.coord>
    """

    name = "algebra.convolve"
    FUNCTION: ClassVar[str] = "convolve"
    FLAGS: ClassVar[tuple[str, ...]] = ("circular",)
    circular = opt_prop_def(UnitAttr)
    a = operand_def(TensorType)
    b = operand_def(TensorType)

    def verify_(self) -> None:
        a, b = shape_of(self.a.type), shape_of(self.b.type)
        static = len(a) == 1 and a[0] != DYNAMIC and (self.circular is None or b == a)
        if not static or len(b) != 1 or 0 in (*a, *b):
            raise VerifyError(
                "algebra-convolve-shapes", f"'{self.name}' can't convolve shapes {show_shape(a)} and {show_shape(b)}",
                hint="two sequences, the first of a static length; a circular convolution takes two of one length",
            )  # fmt: skip
        self.verify_elements(self.a, self.b, self.result)
        length = b[0] if self.circular is not None or b[0] == DYNAMIC else a[0] + b[0] - 1
        self.check_shape([length])

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        a, b = sizes(self.a)[0], sizes(self.b)[0]
        return [a] if self.circular is not None else [a + b - Size.of(1)]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return [Requirement(sizes(self.b)[0], ">=", Size.of(1))]

    def evaluate(self, *args: Array) -> Any:
        return self.ring.convolve(*args, circular=self.circular is not None)


OPS = (SumOp, ProductOp, MatmulOp, ConvolveOp)
