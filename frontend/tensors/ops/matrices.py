"""Matrices by their places: the identity, triangles, diagonals, traces, Kronecker and cross products."""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import arrange, math, memory, reduce
from hologram.frontend.tensors.ops.arrange import ZERO, number, places
from hologram.frontend.tensors.ops.memory import reshaped
from hologram.frontend.tensors.trace import support
from hologram.frontend.tensors.trace.support import (
    ONE,
    axis_of,
    broadcast_sizes,
    brought,
    converted,
    dtype_name,
    must_equal,
    named_axes,
    need_rank,
    operation,
    settled,
    tensor,
    typed,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced

RANKS = range(2, 9)


def _grid(rows: Size, columns: Size) -> tuple[Any, Any]:
    """The row of each place of a matrix, as a column, and its column, as a row."""
    return reshaped(places(rows), (rows, ONE)), places(columns)


def _offset(value: Any) -> Size:
    """The number of a diagonal: 0 the main one, positive ones above it."""
    return arrange.one_size(value)


@operation
def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = "f32") -> Any:
    """Ones on a diagonal of a matrix of n rows and m columns (n by default), zeros elsewhere.

    Diagonal 0 begins at the first element, `k` of them further to the right (to the left, where it is negative).
    """
    height = arrange.one_size(n)
    row, column = _grid(height, height if m is None else arrange.one_size(m))
    return converted(math.equal(column, math.add(row, number(_offset(k)))), dtype_name(dtype))


@operation
def tril(x: Any, k: Any = 0) -> Any:
    """The matrix, or each of a batch, with zeros above diagonal k."""
    return _triangle(x, k, math.less_equal)


@operation
def triu(x: Any, k: Any = 0) -> Any:
    """The matrix, or each of a batch, with zeros below diagonal k."""
    return _triangle(x, k, math.greater_equal)


def _triangle(x: Any, k: Any, keeps: math.OfTwo) -> Any:
    value = tensor(x)
    need_rank(value, "the matrix", *RANKS)
    row, column = _grid(*settled(value)[-2:])
    return math.where(keeps(column, math.add(row, number(_offset(k)))), value, typed(0, value.dtype))


@operation
def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """A diagonal of two axes, along a new last axis in their place."""
    value, by = tensor(x), _offset(offset)
    need_rank(value, "x", *RANKS)
    axes = named_axes((axis1, axis2), value.ndim)
    value = arrange.moveaxis(value, axes, (-2, -1))
    *batch, rows, columns = settled(value)
    facts = support.trace().facts
    above = facts.holds(by, ">=", ZERO)
    rows, columns = (rows, columns - by) if above else (rows + by, columns)
    count = rows if facts.holds(rows, "<=", columns) else columns
    count = facts.settled(count if facts.holds(count, ">", ZERO) else ZERO)
    width = value.along(value.ndim - 1)
    start = by if above else (ZERO - by) * width
    index = math.add(math.mul(places(count), number(width + ONE)), number(start))
    flat = reshaped(value, (*batch, value.along(value.ndim - 2) * width))
    return memory.gather(flat, index, -1)


@operation
def diag(x: Any, k: Any = 0) -> Any:
    """Of a vector the matrix with it on diagonal k and zeros elsewhere; of a matrix its diagonal k."""
    value, by = tensor(x), _offset(k)
    need_rank(value, "x", 1, 2)
    if value.ndim == 2:
        return diagonal(value, number(by))
    above = support.trace().facts.holds(by, ">=", ZERO)
    far = by if above else ZERO - by
    zero = typed(0, value.dtype)
    longer = memory.concat([value, memory.full(number(far), zero)])
    size = value.along(0) + far
    row, column = _grid(size, size)
    held = reshaped(longer, (size, ONE)) if above else longer
    return math.where(math.equal(column, math.add(row, number(by))), held, zero)


@operation
def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The sum of a diagonal of two axes."""
    return reduce.sum(diagonal(x, offset, axis1, axis2), -1)


@operation
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: each element of a in turn, times all of b."""
    x, y = brought(a, b)
    rank = max(x.ndim, y.ndim)
    own, other = _of_rank(x, rank), _of_rank(y, rank)
    left = reshaped(_as_tensor(x), tuple(size for n in own for size in (n, ONE)))
    right = reshaped(_as_tensor(y), tuple(size for n in other for size in (ONE, n)))
    return reshaped(math.mul(left, right), tuple(m * n for m, n in zip(own, other, strict=True)))


def _of_rank(value: Traced, rank: int) -> Sizes:
    return (*[ONE] * (rank - value.ndim), *settled(value))


def _as_tensor(value: Traced) -> Traced:
    return support.trace().tensor(value)


@operation
def cross(a: Any, b: Any, axis: Any = -1) -> Any:
    """The cross products of vectors of three numbers along an axis; the other axes broadcast."""
    x, y = (_vectors(v, axis) for v in brought(a, b, kind="number"))
    sizes = broadcast_sizes(x.sizes, y.sizes)
    first, second = ([memory.row(v, v.ndim - 1, n) for n in range(3)] for v in (x, y))
    parts: list[Any] = []
    for n in range(3):
        i, j = (n + 1) % 3, (n + 2) % 3
        parts.append(math.sub(math.mul(first[i], second[j]), math.mul(first[j], second[i])))
    return arrange.moveaxis(memory.concat(parts, -1), -1, axis_of(axis, len(sizes)))


def _vectors(value: Traced, axis: Any) -> Any:
    """Vectors of three numbers, along the last axis."""
    place = axis_of(axis, value.ndim)
    must_equal(value.along(place), Size.of(3), "vectors have three numbers in a cross product")
    return arrange.moveaxis(value, place, -1)
