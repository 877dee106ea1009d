"""Schedules for processors that run threads as elements of their vectors give the bits of other processors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from device_kernels import KERNELS
from schedules.device_forms import compiled, device_pipelines, same_bits

_ = device_pipelines
RANDOM = np.random.default_rng(11)


def both(text: str) -> tuple[Any, Any]:
    return compiled(text, "lanes"), hologram.compile(text)


def program(element: str, more: str) -> str:
    return f"""
func.func @map(%a: tensor<?x{element}>, %b: tensor<?x{element}>) -> tensor<?x{element}> {{
  %m = hologram.mul %a, %b : tensor<?x{element}>
  %r = hologram.{more} : tensor<?x{element}>
  func.return %r : tensor<?x{element}>
}}
"""


@pytest.mark.parametrize("dtype", ["f32", "i64", "f16"])
def test_lines(dtype: str):
    """Lines of no element, one, a whole tile, one more, and lines that begin where no vector does."""
    lanes, cpu = both(program(dtype, "add %m, %b"))
    for size in (0, 1, 31, 8191, 8192, 8193, 2 * 8192 + 5):
        values = RANDOM.integers(-99, 99, (2, size + 1)).astype({"f32": "f4", "i64": "i8", "f16": "f2"}[dtype])
        for shift in (0, 1):
            given = [v[shift : size + shift] for v in values]
            assert same_bits(lanes(*given), cpu(*given)), (size, shift)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sum", "row-sum"])
def test_sums(name: str):
    """Rows of whole steps of accumulators and others, of chunks and parts of them; NaN, infinities, zeros."""
    lanes, cpu = both(KERNELS[name].text)
    shapes = [(0,), (1,), (128,), (129,), (4096 * 3 + 256,), (4096 * 5,)]
    if name == "row-sum":
        shapes = [(0, 128), (3, 0), (5, 128), (33, 130), (2, 4096), (3, 4096 * 4 + 128), (65, 384)]
    for shape in shapes:
        x = RANDOM.standard_normal(shape, np.float32)
        assert same_bits(lanes(x), cpu(x)), shape
        x[..., -1:] = np.inf
        assert same_bits(lanes(x), cpu(x)), shape
        x[..., :1] = np.nan
        assert same_bits(lanes(x), cpu(x)), shape
    zeros = np.full((128,) if name == "sum" else (2, 128), -0.0, np.float32)
    assert same_bits(lanes(zeros), cpu(zeros))


@pytest.mark.slow
def test_columns():
    """Whole pieces of rows and others, over no row, some, a chunk and more; many short columns, and long ones in groups
    of rows."""
    lanes, cpu = both(KERNELS["column-sum"].text)
    shapes = [(0, 64), (1, 64), (129, 128), (4096, 64), (4096 + 300, 64), (5, 100), (3, 0)]
    for shape in [*shapes, (300, 576), (1024, 576), (1300, 1088), (4096 + 5, 576), (700, 4160)]:
        x = RANDOM.standard_normal(shape, np.float32)
        assert same_bits(lanes(x), cpu(x)), shape
        x[-1:, :1], x[:1, 1:2] = np.inf, np.nan
        assert same_bits(lanes(x), cpu(x)), shape


@pytest.mark.slow
@pytest.mark.parametrize("name", ["softmax", "layer-norm"])
def test_rows(name: str):
    """A thread a row from 64 rows on."""
    lanes, cpu = both(KERNELS[name].text)
    for shape in [(64, 128), (63, 128), (70, 4096 + 128), (64, 100)]:
        given = [RANDOM.standard_normal(s, np.float32) for s in (shape, shape[1:], shape[1:])]
        given = given[: 1 if name == "softmax" else 3]
        given[0][0, :3] = [np.inf, np.nan, -np.inf]
        assert same_bits(lanes(*given), cpu(*given)), shape


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_transposes(element: str):
    """Whole tiles and others."""
    text = KERNELS["transpose"].text.replace("f32", element)
    lanes, cpu = both(text)
    for shape in [(0, 64), (1, 1), (64, 128), (128, 64), (65, 64), (64, 96), (32, 32)]:
        x = RANDOM.standard_normal(shape).astype({"f32": "f4", "f64": "f8"}[element])
        assert same_bits(lanes(x), cpu(x)), shape
        assert same_bits(lanes(x), x.T.copy())


@pytest.mark.slow
def test_looked_up_values():
    """Choices among constants are what a table holds."""
    text = KERNELS["gelu"].text
    lanes, cpu = both(text)
    x = RANDOM.standard_normal(9000, np.float32) * 3
    x[:5] = [0, -0.0, np.inf, -np.inf, np.nan]
    assert same_bits(lanes(x), cpu(x))
