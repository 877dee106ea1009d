"""What reference functions over whole arrays share: arrays in storage form in, arrays out (isa.md section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.dialects.atlas.arrays.base import Kind, identity
from hologram.dialects.atlas.instructions.dtypes import Array, DType, widened, working_type
from hologram.dialects.atlas.instructions.reference import converted, narrow
from hologram.dialects.atlas.instructions.storage import storage, wrap
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.dialects.lazy import np

CHUNK = 4096
"""Elements of a chunk: element i belongs to chunk i div 4096."""
ACCUMULATORS = 128
"""Accumulators of a chunk: element i belongs to accumulator i mod 128."""


class Unmet(Exception):
    """Raised by a reference function where operands do not have what the operation's meaning needs."""


class OutOfRange(Exception):
    """Raised by a reference function for an index, at a position among the indices, that no axis of this size has."""

    def __init__(self, position: Sequence[int], index: int, size: int):
        super().__init__(position, index, size)
        self.position, self.index, self.size = position, index, size


def apply(name: str, dtype: DType, *values: Array) -> Array:
    """The scalar instruction of a name, on each element."""
    return INSTRUCTIONS[name].evaluate(dtype, *values)


def number(value: float, dtype: DType) -> Array:
    """A number in storage form."""
    return np.asarray(value).astype(dtype.numpy)


# Sums and other combinations


def combine(kind: Kind, dtype: DType, elements: Array) -> Array:
    """Combines the last axis of `elements`, in the one association of float sums and products that all levels have.
    The result is rounded to `dtype` once."""
    work = working_type(kind.value, dtype)
    return converted(work, dtype, _combine(kind, work, converted(dtype, work, elements)))


def combine_axes(kind: Kind, dtype: DType, elements: Array, axes: Sequence[int]) -> Array:
    """Combines over `axes`, row-major over them in the given order; the other axes stay."""
    kept = [a for a in range(elements.ndim) if a not in axes]
    count = int(np.prod([elements.shape[a] for a in axes], dtype=np.int64))
    moved = elements.transpose([*kept, *axes])
    return combine(kind, dtype, moved.reshape(*(elements.shape[a] for a in kept), count))


def _combine(kind: Kind, dtype: DType, elements: Array) -> Array:
    *lead, count = elements.shape
    start = identity(kind, dtype)
    if count == 0:
        return filled(lead, empty_value(kind, dtype), dtype)
    instruction = INSTRUCTIONS[kind.value]
    # Accumulators that no element reaches hold the identity, which changes nothing where it is combined.
    width = min(ACCUMULATORS, _power_of_two(count))
    rows = min(CHUNK, -(-count // width) * width) // width
    chunks = -(-count // (rows * width))
    table = filled([*lead, chunks * rows * width], start, dtype)
    table[..., :count] = elements
    table = table.reshape(*lead, chunks, rows, width)
    total = filled([*lead, chunks, width], start, dtype)
    for row in range(rows):
        total = instruction.evaluate(dtype, total, table[..., row, :])
    while width > 1:
        width //= 2
        total = instruction.evaluate(dtype, total[..., :width], total[..., width:])
    results = filled([*lead, _power_of_two(chunks)], start, dtype)
    results[..., :chunks] = total[..., 0]
    while results.shape[-1] > 1:
        results = instruction.evaluate(dtype, results[..., 0::2], results[..., 1::2])
    return results[..., 0]


def _power_of_two(count: int) -> int:
    return 1 << (count - 1).bit_length()


def empty_value(kind: Kind, dtype: DType) -> int | float:
    """What a reduction of no elements gives: the identity, but +0 for a sum."""
    return 0 if kind is Kind.add else identity(kind, dtype)


def filled(shape: Sequence[int], value: int | float, dtype: DType) -> Array:
    """An array of one number."""
    return storage(np.full(tuple(shape), value, dtype.numpy), dtype)


# Products


def wide_type(dtype: DType) -> Any:
    """The numpy type in which products and their sums are taken; integers are wrapped after it."""
    return np.float64 if dtype.is_float else np.int64 if dtype.bits <= 64 else object


def narrowed(dtype: DType, total: Array) -> Array:
    """Totals of `wide_type` in a type: floats rounded once, integers wrapped."""
    return narrow(dtype, total) if dtype.is_float else storage(wrap(dtype, total), dtype)


def product(dtype: DType, a: Array, b: Array, c: Array | None = None, alpha: float = 1.0, beta: float = 1.0) -> Array:
    """alpha * a b + beta * c, the matrix product over the last two axes; of integers the scales are integers too."""
    wide = wide_type(dtype)
    first, second = (s if dtype.is_float else wrap(dtype, int(s)) for s in (alpha, beta))
    with np.errstate(all="ignore"):
        total = first * (a.astype(wide) @ b.astype(wide))
        return narrowed(dtype, total if c is None else total + second * c.astype(wide))


# Functions that two levels have


def softmax(dtype: DType, elements: Array, axis: int) -> Array:
    """m = max(x), e = exp(x - m), e / sum(e), each operation rounded; types shorter than f32 are widened to it."""
    work = widened(dtype)
    x = np.moveaxis(converted(dtype, work, elements), axis, -1)
    e = apply("exp", work, apply("sub", work, x, combine(Kind.max, work, x)[..., None]))
    result = apply("div", work, e, combine(Kind.add, work, e)[..., None])
    return converted(work, dtype, np.moveaxis(result, -1, axis))


def check_indices(indices: Array, size: int) -> None:
    """Refuses indices outside of an axis."""
    outside = (indices < 0) | (indices >= size)
    if outside.any():
        at = tuple(int(i) for i in np.argwhere(outside)[0])
        raise OutOfRange(at, int(indices[at]), size)


def gather(elements: Array, indices: Array, axis: int) -> Array:
    """Slices along an axis."""
    check_indices(indices, elements.shape[axis])
    return np.take(elements, indices, axis=axis)
