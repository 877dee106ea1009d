"""The one association of float sums and products (isa.md section 3). Reductions of every level go through here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.dialects.atlas.instructions.reference import convert
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.storage import storage
from hologram.dialects.atlas.instructions.types import DType, working_type
from hologram.interpreter.core.values import Array

CHUNK = 4096
"""Elements of a chunk: element i belongs to chunk i div 4096."""
ACCUMULATORS = 128
"""Accumulators of a chunk: element i belongs to accumulator i mod 128."""


def combine(kind: Kind, dtype: DType, elements: Array) -> Array:
    """Combines the last axis of `elements` (storage form of `dtype`); the result is rounded to `dtype` once."""
    work = working_type(kind.value, dtype)
    if work is dtype:
        return _combine(kind, dtype, elements)
    with np.errstate(all="ignore"):
        return convert(work, dtype, _combine(kind, work, convert(dtype, work, elements)))


def combine_axes(kind: Kind, dtype: DType, elements: Array, axes: Sequence[int]) -> Array:
    """Combines over `axes`, row-major over them in the given order; the other axes stay."""
    kept = [a for a in range(elements.ndim) if a not in axes]
    count = int(np.prod([elements.shape[a] for a in axes], dtype=np.int64))
    moved = elements.transpose([*kept, *axes])
    return combine(kind, dtype, moved.reshape(*(elements.shape[a] for a in kept), count))


def _combine(kind: Kind, dtype: DType, elements: Array) -> Array:
    *lead, count = elements.shape
    if count == 0:
        return _full(lead, 0 if kind is Kind.add else identity(kind, dtype), dtype)
    instruction = INSTRUCTIONS[kind.value].INSTRUCTION
    # Accumulators that no element reaches hold the identity, which changes nothing where it is combined.
    width = min(ACCUMULATORS, _power_of_two(count))
    rows = min(CHUNK, -(-count // width) * width) // width
    chunks = -(-count // (rows * width))
    table = _full([*lead, chunks * rows * width], identity(kind, dtype), dtype)
    table[..., :count] = elements
    table = table.reshape(*lead, chunks, rows, width)
    total = _full([*lead, chunks, width], identity(kind, dtype), dtype)
    for row in range(rows):
        total = instruction.evaluate(dtype, total, table[..., row, :])
    while width > 1:
        width //= 2
        total = instruction.evaluate(dtype, total[..., :width], total[..., width:])
    results = _full([*lead, _power_of_two(chunks)], identity(kind, dtype), dtype)
    results[..., :chunks] = total[..., 0]
    while results.shape[-1] > 1:
        results = instruction.evaluate(dtype, results[..., 0::2], results[..., 1::2])
    return results[..., 0]


def _power_of_two(count: int) -> int:
    return 1 << (count - 1).bit_length()


def _full(shape: Sequence[int], value: int | float, dtype: DType) -> Array:
    return storage(np.full(tuple(shape), value, dtype.numpy), dtype)
