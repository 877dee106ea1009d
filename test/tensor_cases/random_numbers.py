"""Random numbers by Python's integers, which those of `hologram.ops.random` are held against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

WORD = 0xFFFFFFFF
MANTISSA = {"f16": 10, "f32": 23, "f64": 52}


def threefry(key: Sequence[int], counter: Sequence[int]) -> tuple[int, int]:
    """The words of Threefry-2x32 of 20 rounds."""
    keys = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    x, y = ((c + k) & WORD for c, k in zip(counter, key, strict=True))
    for number in range(20):
        distance = (13, 15, 26, 6, 17, 29, 16, 24)[number % 8]
        x = (x + y) & WORD
        y = ((y << distance | y >> (32 - distance)) & WORD) ^ x
        if number % 4 == 3:
            group = number // 4 + 1
            x, y = (x + keys[group % 3]) & WORD, (y + keys[(group + 1) % 3] + group) & WORD
    return x, y


def philox(key: Sequence[int], counter: Sequence[int]) -> tuple[int, int]:
    """The first two words of Philox-4x32 of 10 rounds for a place of a high and a low word."""
    a, b, c, d = counter[1], counter[0], 0, 0
    first, second = key
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = q >> 32 ^ b ^ first, q & WORD, p >> 32 ^ d ^ second, p & WORD
        first, second = (first + 0x9E3779B9) & WORD, (second + 0xBB67AE85) & WORD
    return a, b


def keys_of(key: Any, places: Iterable[int]) -> Any:
    """The words for some places."""
    return np.array([threefry([int(k) for k in key], (n >> 32, n & WORD)) for n in places], np.uint32)


def bits_of(key: Any, shape: Sequence[int], bits: int, generator: str = "threefry") -> Any:
    """Random bits of a shape."""
    make = {"threefry": threefry, "philox": philox}[generator]
    pairs = [make([int(k) for k in key], (0, n)) for n in range(prod(shape))]
    whole = [(x << 32 | y) if bits == 64 else (x ^ y) & ((1 << bits) - 1) for x, y in pairs]
    return np.array(whole, f"uint{bits}").reshape(shape)


def floats_of(key: Any, shape: Sequence[int], dtype: str) -> Any:
    """Random floats from 0 up to 1."""
    width, mantissa = int(dtype[1:]), MANTISSA[dtype]
    kept = bits_of(key, shape, width) >> (width - mantissa)
    return (kept.astype(np.float64) / 2.0**mantissa).astype(f"float{width}")
