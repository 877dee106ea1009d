"""Sums and products of the library have the order of the ISA, and so the bits of its instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels.stdlib.cases import Array, Draw, load

CHUNK, ACCUMULATORS = 4096, 128
SIZES = [0, 1, 129, 4097, 3 * CHUNK + 5]


def ordered(x: Array, combine: Callable[[Any, Any], Any], identity: float) -> Any:
    """The sum by the rule of isa.md section 3, step by step, in the type of x."""
    chunks = [_chunk(x[at : at + CHUNK], combine, identity) for at in range(0, max(len(x), 1), CHUNK)]
    while len(chunks) > 1:
        padded = [*chunks, *[x.dtype.type(identity)] * (len(chunks) % 2)]
        chunks = [combine(a, b) for a, b in zip(padded[::2], padded[1::2], strict=True)]
    return chunks[0]


def _chunk(x: Array, combine: Callable[[Any, Any], Any], identity: float) -> Any:
    found = np.full(ACCUMULATORS, identity, x.dtype)
    for at in range(0, len(x), ACCUMULATORS):
        part = x[at : at + ACCUMULATORS]
        found[: len(part)] = combine(found[: len(part)], part)
    while len(found) > 1:
        half = len(found) // 2
        found = combine(found[:half], found[half:])
    return found[0]


def summed(x: Array, dtype: str) -> Any:
    """The sum in the order, rounded at last; of nothing +0."""
    wide = x.astype(np.float64 if dtype == "f64" else np.float32)
    return ordered(wide, lambda a, b: a + b, -0.0).astype(x.dtype) if len(x) else x.dtype.type(0)


def bits(x: Any) -> bytes:
    return np.asarray(x).tobytes()


def check(name: str, dtype: str) -> None:
    """A kernel on all sizes, of a vector, two rows or two columns."""
    kernel = load("reduce/reduce_sum", name)
    for n in SIZES:
        x = Draw(dtype, n).array(2, n)
        out = np.empty(1 if name == "reduce_sum" else 2, x.dtype)
        given = {"reduce_sum": x[0], "reduce_sum_rows": x, "reduce_sum_columns": np.ascontiguousarray(x.T)}[name]
        kernel(given, out)
        assert bits(out) == b"".join(bits(summed(row, dtype)) for row in x[: len(out)]), (name, dtype, n)


def test_sums():
    check("reduce_sum", "f32")


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_sum_rows", "reduce_sum_columns"])
def test_sums_of_all_shapes(name: str, dtype: str):
    check(name, dtype)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_products(n: int):
    x = Draw("f32", n).uniform(0.98, 1.02, n)
    out = np.empty(1, np.float32)
    load("reduce/reduce_product", "reduce_product")(x, out)
    assert bits(out) == bits(ordered(x, lambda a, b: a * b, 1.0))


def test_zeros_keep_their_sign():
    out = np.ones(1, np.float32)
    load("reduce/reduce_sum", "reduce_sum")(np.full(3, -0.0, np.float32), out)
    assert bits(out) == bits(np.float32(-0.0))
