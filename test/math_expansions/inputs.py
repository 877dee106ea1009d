"""The inputs that functions are checked with."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np

from math_expansions.jit import DTYPES
from math_expansions.references import Function

Array = np.ndarray[Any, Any]
BITS: dict[str, Any] = {"f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "f64": np.uint64}
"""The unsigned integers as wide as a format."""


def special(format: str) -> Array:
    """Values at which something ends, of both signs."""
    dtype = DTYPES[format]
    info = cast("Any", ml_dtypes.finfo(dtype))
    least, tiny, eps = float(info.smallest_subnormal), float(info.tiny), float(info.eps)
    small = [0.0, least, 3 * least, tiny - least, tiny, eps / 2, eps, eps**0.5]
    middle = [1e-3, 0.25, 0.5, 1 - eps / 2, 1.0, 1 + eps, 1.5, 2.0, 3.0, 10.0, 100.0]
    large = [float(info.max), float(info.max) / 2, 1 / eps, 2 / eps, 2.0**31, 2.0**63, np.inf, np.nan]
    with np.errstate(over="ignore"):
        positive = np.array([*small, *middle, *large], dtype)
    return np.concatenate([positive, -positive])


def inputs_f32(stride: int, seed: int) -> Array:
    """Every `stride`th bit pattern, and the special values with their neighbours."""
    patterns = np.arange(seed % stride, 2**32, stride, dtype=np.int64).astype(np.uint32)
    near = (special("f32").view(np.uint32).astype(np.int64)[:, None] + np.arange(-3, 4)).astype(np.uint32).ravel()
    return np.concatenate([patterns, near]).view(np.float32)


def inputs_f64(function: Function, count: int, seed: int) -> Array:
    """Random bit patterns, points of the function's ranges and the special values."""
    generator = np.random.default_rng(seed)
    patterns = generator.integers(0, 2**64, count, dtype=np.uint64).view(np.float64)
    ranges = [generator.uniform(low, high, count) for low, high in function.ranges]
    return np.concatenate([patterns, *ranges, special("f64")])


def pairs(format: str, function: Function, count: int, seed: int) -> tuple[Array, Array]:
    """Pairs of random bit patterns, those that the function's row draws, and all pairs of special values."""
    generator = np.random.default_rng(seed)
    dtype, word = DTYPES[format], BITS[format]
    bits = 8 * np.dtype(word).itemsize
    random = [generator.integers(0, 2**bits, count, dtype=np.uint64).astype(word).view(dtype) for _ in range(2)]
    with np.errstate(all="ignore"):
        drawn = [np.asarray(a, dtype) for draw in function.draws for a in draw(generator, count, format)]
    corners = [a.ravel() for a in np.meshgrid(special(format), special(format))]
    x, y = (np.concatenate([random[k], *drawn[k::2], corners[k]]) for k in range(2))
    return x, y
