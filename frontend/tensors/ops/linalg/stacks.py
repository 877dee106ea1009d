"""What the operations on matrices share: matrices in one stack, in the type that they are computed in, and its sizes.

All algorithms run on a stack of matrices, along one axis, whatever axes the batch has: each step of a loop works on all
matrices at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import finite, math, memory, reduce
from hologram.frontend.tensors.ops.arrange import number, places
from hologram.frontend.tensors.ops.memory import reshaped, total
from hologram.frontend.tensors.trace.support import (
    ONE,
    at_least_f32,
    broadcast,
    broadcast_sizes,
    brought,
    converted,
    must_equal,
    need_rank,
    settled,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced
from hologram.support import promotion

RANKS = range(2, 9)
MATRIX = "a matrix, or a batch of them"
EPSILON = {"f32": 2.0**-23, "f64": 2.0**-52}
"""The distance from 1 to the next number of a type."""
_EXPONENT = {"f32": 0xFF << 23, "f64": 0x7FF << 52}
"""The bits of a float's exponent."""


class Stack(NamedTuple):
    """Matrices in a stack."""

    value: Any
    """The matrices along the first of three axes, in f32 or f64."""
    batch: Sizes
    """The axes that they had before."""
    dtype: str
    """The type of the results."""

    @property
    def rows(self) -> Size:
        """The number of rows of each."""
        return self.value.along(1)

    @property
    def columns(self) -> Size:
        """The number of columns of each."""
        return self.value.along(2)

    def given(self, value: Any, dtype: str | None = None) -> Any:
        """Results, one for each matrix along the first axis, in the axes of the batch."""
        return reshaped(converted(value, dtype or self.dtype), (*self.batch, *settled(value)[1:]))


def stacked(a: Any, batch: Sizes | None = None) -> Stack:
    """Matrices in a stack, repeated to a batch."""
    (value,) = brought(a, kind="float")
    need_rank(value, MATRIX, *RANKS)
    own = settled(value)
    wide = at_least_f32(value)
    if batch is not None:
        wide, own = broadcast(wide, (*batch, *own[-2:])), (*batch, *own[-2:])
    return Stack(reshaped(wide, (total(own[:-2]), *own[-2:])), own[:-2], value.dtype)


def squares(a: Any, batch: Sizes | None = None) -> Stack:
    """Square matrices in a stack."""
    stack = stacked(a, batch)
    must_equal(stack.rows, stack.columns, "the matrix is not square")
    return stack


class System(NamedTuple):
    """Systems of linear equations in a stack: matrices, and right-hand sides of one or more columns."""

    left: Stack
    right: Stack
    is_vector: bool
    """Whether the right-hand side was a vector."""

    @staticmethod
    def of(a: Any, b: Any) -> System:
        """The systems of matrices and right-hand sides, whose batches broadcast."""
        x, y = brought(a, b, kind="float")
        need_rank(x, MATRIX, *RANKS)
        need_rank(y, "the right-hand side", *range(1, 9))
        is_vector = y.ndim == 1
        y = reshaped(y, (y.along(0), ONE)) if is_vector else y
        batch = broadcast_sizes(settled(x)[:-2], settled(y)[:-2]) if x.ndim > 2 or y.ndim > 2 else ()
        left, right = squares(x, batch), stacked(y, batch)
        must_equal(left.rows, right.rows, "the matrix and the right-hand side have not as many rows")
        return System(left, right, is_vector)

    def given(self, x: Any) -> Any:
        """The solutions, in the form of the right-hand side."""
        return self.right.given(reshaped(x, settled(x)[:2]) if self.is_vector else x)


def line(size: Size) -> Any:
    """The places along an axis: they are compared with the number of a step."""
    return places(size)


def column(values: Any) -> Any:
    """Vectors, each as a matrix of one column."""
    return reshaped(values, (*settled(values), ONE))


def row(values: Any) -> Any:
    """Vectors of a stack, each as a matrix of one row."""
    count, size = settled(values)
    return reshaped(values, (count, ONE, size))


def taken(value: Any, index: Any) -> Any:
    """From each matrix of a stack the rows of its own indices; of indices without a second axis one row each."""
    count, rows, columns = settled(value)
    flat = reshaped(value, (count * rows, columns))
    first = math.mul(places(count), number(rows))
    return memory.gather(flat, math.add(reshaped(first, (count, *[ONE] * (index.ndim - 1))), index))


def unit(size: Size, width: Size, dtype: str) -> Any:
    """A matrix of ones on the diagonal and zeros elsewhere."""
    return converted(math.equal(column(line(size)), line(width)), dtype)


def scaled(value: Traced) -> tuple[Any, Any]:
    """Each matrix of a stack divided by a power of two, so that no square overflows, and the powers.

    A matrix that holds a NaN or an infinity is all NaN.
    """
    dtype = value.dtype
    most = math.maximum(reduce.max(math.abs(value), (1, 2), True), 0)
    integer = f"u{promotion.bits(dtype)}"
    power = finite.bitcast(math.bit_and(finite.bitcast(most, integer), _EXPONENT[dtype]), dtype)
    power = math.where(math.equal(power, 0), 1, power)
    power = math.where(math.less(most, float("inf")), power, float("nan"))
    return math.div(value, power), power
