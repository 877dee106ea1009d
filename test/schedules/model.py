"""The association of float sums and products (isa.md section 3) in numpy, written from its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def combine(elements: Array, op: Callable[[Any, Any], Any], identity: float) -> Any:
    """The combined value of the reduced index, its first axis; over the other axes element by element."""
    rest = elements.shape[1:]
    start = np.full(rest, identity, elements.dtype)
    chunks = [
        _chunk(elements[at : at + 4096], op, start) for at in range(0, len(elements), 4096)
    ]  # fmt: skip
    if not chunks:
        return np.full(rest, 0.0 if np.signbit(identity) else identity, elements.dtype)
    while len(chunks) & (len(chunks) - 1):
        chunks.append(start)
    while len(chunks) > 1:
        chunks = [op(chunks[2 * j], chunks[2 * j + 1]) for j in range(len(chunks) // 2)]
    return chunks[0]


def _chunk(elements: Array, op: Callable[[Any, Any], Any], start: Array) -> Array:
    sums = [start] * 128
    for i, element in enumerate(elements):
        sums[i % 128] = op(sums[i % 128], element)
    for half in (64, 32, 16, 8, 4, 2, 1):
        sums = [op(sums[k], sums[k + half]) for k in range(half)]
    return sums[0]
