"""Functions of real numbers that are compositions: errors against gmpy2, special values and types against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
import hologram.language as hl
from hologram import ops
from hologram.dialects.atlas.instructions.composites import ULPS
from hologram.language import Array, f32, f64, get_global_id
from tensor_agreement import same

gmpy2: Any = import_module("gmpy2")
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    3.0,
    -3.0,
    21.999,
    22.0,
    1e-40,
    -1e-40,
    80.0,
    -100.0,
    np.inf,
    -np.inf,
    np.nan,
]
NUMPY = {"asin": "arcsin", "acos": "arccos", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
UNARY = ("sinh", "cosh", "asin", "acos", "asinh", "acosh", "atanh", "cbrt", "signbit", "square", "deg2rad", "rad2deg")
BINARY = ("hypot", "logaddexp", "logaddexp2", "copysign")
INSIDE = {"asin": 1.0, "acos": 1.0, "atanh": 1.0, "sinh": 88.0, "cosh": 88.0}
"""The greatest operand, where the function ends or overflows."""


def reference(name: str) -> Any:
    return getattr(np, NUMPY.get(name, name))


def inputs(name: str, dtype: Any) -> Any:
    """Small and great numbers, and ones about 1, of both signs."""
    rng, end = np.random.default_rng(7), INSIDE.get(name, 1e8)
    x = np.concatenate([rng.uniform(-end, end, 300), rng.uniform(-1, 1, 300), 10.0 ** rng.uniform(-30, 0, 200)])
    near = [1 - 10.0 ** rng.uniform(-7, -1, 200), 1 + 10.0 ** rng.uniform(-7, 1, 200) * (end > 1)]
    x = np.concatenate([x, *near]).astype(dtype)
    return np.abs(x) + 1 if name == "acosh" else x


@pytest.fixture(scope="module")
def compiled() -> Any:
    """The functions that have bounds, compiled together."""
    return hologram.jit(lambda x: {name: getattr(ops, name)(x[name]) for name in ULPS if name != "hypot"})


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_are_bounded(dtype: Any, compiled: Any):
    given = {name: inputs(name, dtype) for name in ULPS if name != "hypot"}
    for name, found in compiled(given).items():
        with gmpy2.context(precision=120):
            for x, y in zip(given[name].tolist(), found.tolist(), strict=True):
                exact = getattr(gmpy2, name)(gmpy2.mpfr(x))
                ulp = float(np.spacing(dtype(abs(float(exact)))))
                assert y == exact or abs(gmpy2.mpfr(y) - exact) <= ULPS[name] * ulp, f"{name}({x}) is {y}"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lengths(dtype: Any):
    rng = np.random.default_rng(3)
    a, b = (10.0 ** rng.uniform(-37, 37, 500) * rng.choice([-1, 1], 500) for _ in range(2))
    a, b = a.astype(dtype), b.astype(dtype)
    exact = np.hypot(a.astype(np.longdouble), b.astype(np.longdouble))
    found = hologram.jit(ops.hypot).interpret(a, b)
    assert np.all(np.abs(found - exact) <= ULPS["hypot"] * np.spacing(exact.astype(dtype)))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_special_values(name: str):
    x = np.array(SPECIAL, np.float32)
    found, expected = hologram.jit(getattr(ops, name)).interpret(x), reference(name)(x)
    same(found, expected, 1e-6)
    if expected.dtype != bool:
        kept = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[kept]), np.signbit(expected[kept]))


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_special_values_of_two(name: str):
    a, b = np.array(SPECIAL, np.float32), np.array(SPECIAL, np.float32)[:, None]
    found, expected = hologram.jit(getattr(ops, name)).interpret(a, b), reference(name)(a, b)
    same(found, expected, 1e-6)
    kept = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[kept]), np.signbit(expected[kept]))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_narrow_floats_are_rounded_once(name: str, dtype: Any):
    x = np.array([-0.75, -0.1, -0.003, 0.0, 0.002, 0.3, 0.9, 1.0, 1.5, 4.0], dtype)
    args = (x,) if name in UNARY else (x, x[::-1])
    found = hologram.jit(getattr(ops, name)).interpret(*args)
    wide = reference(name)(*(a.astype(np.float64) for a in args))
    if wide.dtype == bool:
        return same(found, wide)
    assert found.dtype == dtype
    size, bits = np.abs(wide), 10 if dtype is np.float16 else 7
    ulp = np.exp2(np.maximum(np.floor(np.log2(size)), -14 if bits == 10 else -126) - bits)
    right = np.isnan(wide) == np.isnan(found.astype(np.float64))
    # Squares and angles are of one operation, in the type itself; all others are rounded from f32.
    assert np.all(right & ~(np.abs(found.astype(np.float64) - wide) > 0.51 * ulp))


def test_types():
    assert hologram.jit(ops.sinh).interpret(np.arange(3)).dtype == np.float64
    same(
        hologram.jit(ops.square).interpret(np.arange(-3, 3, dtype=np.int8) * 40),
        (np.arange(-3, 3, dtype=np.int8) * 40) ** 2,
    )
    same(hologram.jit(ops.sinh).interpret(np.zeros((0, 3), np.float32)), np.zeros((0, 3), np.float32))
    assert hologram.jit(lambda x: np.arcsin(x) + np.sinh(x)).interpret(np.float32(0)) == 0


@hologram.kernel(lanes="len(x)")
def several(x: Array[f32], y: Array[f64], narrow: Array[hl.f16], out: Array[f64, 2]):  # pyright: ignore
    i = get_global_id()
    if i < len(x):
        out[0, i] = hl.sinh(x[i]) + hl.hypot(x[i], y[i])
        out[1, i] = hl.atanh(y[i]) - np.arccos(y[i])
        out[2, i] = hl.cosh(narrow[i])
        out[3, i] = 1.0 if hl.signbit(x[i]) else hl.logaddexp(x[i], y[i])


def test_kernels():
    x, y = np.array([-0.0, 0.5, 3.0], np.float32), np.array([0.25, -0.0, 0.75])
    narrow, out = np.array([0.5, 1.0, 2.0], np.float16), np.zeros((4, 3))
    several(x, y, narrow, out)
    expected = [
        np.sinh(x) + np.hypot(x, y),
        np.arctanh(y) - np.arccos(y),
        np.cosh(narrow),
        [1.0, *np.logaddexp(x, y)[1:]],
    ]
    np.testing.assert_allclose(out, expected, rtol=1e-6)
