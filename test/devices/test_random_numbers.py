"""Random numbers and the floats next to others have the same bits on every device."""

# Tensor functions are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import EXACT, LOCAL, Column
from hologram import ops
from tensor_cases.random_numbers import bits_of, floats_of

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
KEY = np.array([0x12345678, 42], np.uint32)
random = ops.random


def ready(column: Column) -> str:
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    return column.device


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_bits(column: Column):
    device = ready(column)

    def drawn(key: Any) -> Any:
        words = random.bits(key, (3, 67)), random.bits(key, (33,), "u64"), random.bits(key, (33,), "u8")
        return *words, random.bits(key, (65,), generator="philox"), random.uniform(key, (300,))

    expected = bits_of(KEY, (3, 67), 32), bits_of(KEY, (33,), 64), bits_of(KEY, (33,), 8)
    expected = *expected, bits_of(KEY, (65,), 32, "philox"), floats_of(KEY, (300,), "f32")
    for found, wanted in zip(hologram.jit(device=device)(drawn)(KEY), expected, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_integers_truths_and_orders(column: Column):
    device = ready(column)

    def drawn(key: Any) -> Any:
        small = random.uniform(key, (40,), dtype="f16"), random.bernoulli(key, 0.3, (50,))
        return *small, random.randint(key, (300,), -5, 95), random.permutation(key, 20), random.split(key, 3)

    made = hologram.jit(drawn)
    for found, wanted in zip(hologram.jit(device=device)(drawn)(KEY), made.interpret(KEY), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_distributions(column: Column):
    device = ready(column)

    def drawn(key: Any) -> Any:
        moved = random.normal(key, (500,), 3.0, 0.5), random.uniform(key, (500,), -2.0, 5.0)
        return *moved, random.exponential(key, (500,)), random.truncated_normal(key, -1.0, 2.0, (500,))

    made = hologram.jit(drawn)
    for found, wanted in zip(hologram.jit(device=device)(drawn)(KEY), made(KEY), strict=True):
        if column.kind in EXACT:
            np.testing.assert_array_equal(found, wanted)
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_next_numbers(column: Column, dtype: Any):
    device = ready(column)
    least = np.finfo(dtype).smallest_subnormal
    x = np.array([0.0, -0.0, least, -least, 1.0, -2.0, np.finfo(dtype).tiny, np.finfo(dtype).max, np.inf], dtype)
    found = hologram.jit(device=device)(ops.nextafter)(x[:, None], x)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, np.nextafter(x[:, None], x))
