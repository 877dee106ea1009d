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


def test_what_is_no_number_is_refused():
    with pytest.raises(hologram.InputError, match="'str' is no tensor"):
        hologram.jit(ops.nan_to_num).interpret(np.ones(2, np.float32), "none")
