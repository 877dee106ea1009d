"""Infinities and NaN replaced, and numbers that are nearly equal, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import same

ENDS = [0.0, -0.0, 1.0, 1.00001, 1.001, -1.0, 1e30, np.inf, -np.inf, np.nan, 1e-9]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "bool"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_in_place_of_others(dtype: str):
    x = np.array(ENDS, np.float64).astype(dtype)
    same(hologram.jit(ops.nan_to_num).interpret(x), np.nan_to_num(x))
    made = hologram.jit(lambda x: ops.nan_to_num(x, 5, posinf=7.0, neginf=-3))
    same(made.interpret(x), np.nan_to_num(x, nan=5, posinf=7.0, neginf=-3))


@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nearly_equal(equal_nan: bool):
    a, b = np.array(ENDS), np.array(ENDS)[:, None]
    for rtol, atol in ((1e-5, 1e-8), (0.0, 0.0), (0.1, 1.0)):
        made = hologram.jit(lambda a, b, r=rtol, t=atol: ops.isclose(a, b, r, t, equal_nan=equal_nan))
        same(made.interpret(a, b), np.isclose(a, b, rtol, atol, equal_nan=equal_nan))


def test_integers_and_all_of_them():
    x = np.arange(4)
    same(hologram.jit(ops.isclose).interpret(x, x[::-1]), np.isclose(x, x[::-1]))
    made = hologram.jit(ops.allclose)
    assert made.interpret(x, x + 1e-9)
    assert not made.interpret(x, x + 1e-3)
    assert made.interpret(x[:0], x[:0])


EDGES = {"float16": (10, "int16"), "float32": (23, "int32"), "float64": (52, "int64")}


def around(dtype: str) -> np.ndarray:
    """Numbers at which the next one is of another exponent, the least ones, zeros, infinities and NaN."""
    _, words = EDGES[dtype]
    whole = np.array([*ENDS, 2.0, 0.5, -0.75, np.finfo(dtype).max, np.finfo(dtype).tiny], np.float64).astype(dtype)
    near = [(whole.view(words) + step).view(dtype) for step in (-1, 0, 1)]
    return np.concatenate([*near, np.array([1, 2, -1], words).view(dtype), np.array([0.0, -0.0], dtype)])


@pytest.mark.parametrize("dtype", EDGES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_next_numbers(dtype: str):
    x = around(dtype)
    a, b = x[:, None], x
    expected, words = np.nextafter(a, b), EDGES[dtype][1]
    made = hologram.jit(ops.nextafter)
    for found in (made(a, b), made.interpret(a, b)):
        assert found.dtype == expected.dtype
        told = ~np.isnan(expected) & (a != b)
        np.testing.assert_array_equal(found.view(words)[told], expected.view(words)[told])
        np.testing.assert_array_equal(found, expected)
    assert ops.nextafter(1.0, 2.0) == np.nextafter(np.float32(1), np.float32(2))


def test_next_numbers_of_bf16():
    x = ops.cast(np.array([1.0, -1.0, 0.0, 255.0], np.float32), "bf16")
    found = hologram.jit(lambda x: ops.cast(ops.nextafter(x, 300.0), "f32")).interpret(x)
    assert found.tolist() == [1.0078125, -0.99609375, 2.0**-133, 256.0]


def test_bits_as_other_types():
    x = np.array([1.0, -0.0, np.inf], np.float32)
    made = hologram.jit(lambda x: (ops.bitcast(x, "u32"), ops.bitcast(ops.bitcast(x, "i32"), "f32")))
    for words, back in (made(x), made.interpret(x)):
        same(words, x.view(np.uint32))
        same(back, x)
    same(ops.bitcast(np.array([-1], np.int8), "u8"), np.array([255], np.uint8))
    same(hologram.jit(lambda x: ops.bitcast(x, "u64")).interpret(np.float64(1)), np.float64(1).view(np.uint64))


def test_what_is_no_number_is_refused():
    with pytest.raises(hologram.InputError, match="'str' is no tensor"):
        hologram.jit(ops.nan_to_num).interpret(np.ones(2, np.float32), "none")
