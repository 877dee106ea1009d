"""Values of the ISA's types as Python's numbers and as the arrays that programs take; which inputs say most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from hologram.dialects.atlas.instructions.types import DTYPES, DType
from interpreter.running import floats, integers, wrap

Array = np.ndarray[Any, np.dtype[Any]]

LANES = 64
"""The lanes of a block; programs take a multiple of it."""


def encode(values: Sequence[Any], t: DType) -> Array:
    """Python's numbers as an array: limbs along a last axis beyond 64 bits."""
    if t.is_float:
        with np.errstate(all="ignore"):
            return np.array(values, np.float64).astype(t.numpy)
    if t.bits <= 64:
        return np.array(values, t.numpy)
    data = b"".join((int(v) % (1 << t.bits)).to_bytes(t.bytes, "little") for v in values)
    return np.frombuffer(data, np.uint64).reshape(len(values), t.bits // 64).copy()


def decode(array: Array, t: DType) -> list[Any]:
    """The values of an array that `encode` made: floats, integers, booleans."""
    if t.is_float:
        return array.astype(np.float64).tolist()
    if t.bits <= 64:
        return array.tolist()
    signed = t.kind == "signed"
    return [int.from_bytes(row.tobytes(), "little", signed=signed) for row in array]


def blank(count: int, t: DType) -> Array:
    """An array for results, of bytes that no result has everywhere."""
    filled = np.full(count * t.bytes, 1 if t.kind == "bool" else 0xA5, np.uint8)
    if t.bits > 64:
        return filled.view(np.uint64).reshape(count, t.bits // 64)
    return filled.view(t.numpy)


def edges(t: DType) -> list[Any]:
    """The edge values of a type, and some others."""
    if t.kind == "bool":
        return [False, True]
    return floats(t) if t.is_float else integers(t)


def some(t: DType, count: int, seed: str) -> list[Any]:
    """Values of all sizes: floats by their exponents, integers by their widths."""
    generator = random.Random(f"{t.name} {seed}")
    if t.kind == "bool":
        return [generator.random() < 0.5 for _ in range(count)]
    if t.is_integer:
        least = int(t.least)
        draws = (generator.getrandbits(generator.randrange(1, t.bits + 1)) for _ in range(count))
        return [(v - least) % (1 << t.bits) + least for v in draws]
    low, high = (-12, 5) if t.bits == 16 else (-20, 8)
    drawn = [
        generator.choice((-1, 1)) * generator.uniform(1, 2) * 2.0 ** generator.randint(low, high) for _ in range(count)
    ]
    return decode(encode(drawn, t), t)


def rows(t: DType, most: int = 4096) -> list[tuple[Any, Any, Any]]:
    """Triples of operands: all pairs of edge values, and others, `most` of them at most, a multiple of LANES."""
    third = [*edges(t), *some(t, 7, "third")]
    pairs = [*product(edges(t), repeat=2)]
    if len(pairs) > most // 2:
        pairs = random.Random(t.name).sample(pairs, most // 2)
    drawn = 512 if t.is_float else 64 if t.bits <= 64 else 16
    pairs += zip(some(t, drawn, "first"), some(t, drawn, "second"), strict=True)
    return padded([(*pair, third[number % len(third)]) for number, pair in enumerate(pairs)][:most])


def padded(found: list[Any]) -> list[Any]:
    """The rows, repeated from the first up to a multiple of LANES."""
    missing = -len(found) % LANES
    return found + (found * (missing // max(1, len(found)) + 1))[:missing]


def amounts(count: int, t: DType) -> list[int]:
    """Shift amounts: below, at and above the width, up to the largest."""
    choice = [0, 1, t.bits // 2, t.bits - 1, t.bits, t.bits + 3, (1 << 32) - 1, 5]
    return [choice[(n * 5 + n // 8) % len(choice)] for n in range(count)]


U32, U64, BOOL = DTYPES["u32"], DTYPES["u64"], DTYPES["bool"]


def conversion_values(t: DType) -> list[Any]:
    """Values at the ends of other types, and where roundings are ties."""
    if t.kind == "bool":
        return [False, True]
    if t.is_float:
        ends = [
            127.5,
            128.0,
            255.5,
            256.0,
            -128.9,
            -129.0,
            2.0**31,
            -(2.0**31),
            2.0**63,
            2.0**64,
            65520.0,
            1e-30,
            3.9e38,
        ]
        return [*floats(t), *decode(encode(ends, t), t)]
    bits = [24, 25, 53, 54, 63, 64, 127, 128, 1024]
    near = [wrap((1 << b) + d, t) for b in bits for d in (-1, 0, 1, 3) if b < t.bits]
    return [*integers(t), *near, wrap(65519, t), wrap(65520, t), wrap(-65520, t)]
