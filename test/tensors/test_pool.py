"""Pooling against windows of numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import same


def images(*shape: int) -> Any:
    return np.random.default_rng(5).standard_normal(shape).astype(np.float32)


def pooled(x: Any, window: Any, stride: Any, pads: Any, outside: Any, combine: Any) -> Any:
    """The windows over the last axes: (before, after) in `pads` for each of them."""
    axes = tuple(range(x.ndim - len(window), x.ndim))
    widths = [(0, 0)] * (x.ndim - len(window)) + list(pads)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, widths, constant_values=outside), window, axes)
    steps = (slice(None),) * axes[0] + tuple(slice(None, None, s) for s in stride)
    return combine(windows[steps], axis=tuple(range(-len(window), 0)))


WAYS: list[tuple[dict[str, Any], Any, Any, Any]] = [
    ({"window": 2}, (2, 2), (2, 2), [(0, 0), (0, 0)]),
    ({"window": 3, "stride": 2, "padding": 1}, (3, 3), (2, 2), [(1, 1), (1, 1)]),
    ({"window": (2, 3), "stride": (1, 2)}, (2, 3), (1, 2), [(0, 0), (0, 0)]),
    ({"window": (3, 2), "padding": (1, 0)}, (3, 2), (3, 2), [(1, 1), (0, 0)]),
    ({"window": 4, "stride": 3, "padding": (2, 0, 1, 2)}, (4, 4), (3, 3), [(2, 1), (0, 2)]),
    ({"window": 1, "stride": 3}, (1, 1), (3, 3), [(0, 0), (0, 0)]),
    ({"window": (5, 17)}, (5, 17), (5, 17), [(0, 0), (0, 0)]),
]


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_planes(way: int):
    how, window, stride, pads = WAYS[way]
    greatest = hologram.jit(lambda x: ops.max_pool2d(x, **how))
    means = hologram.jit(lambda x: ops.avg_pool2d(x, **how))
    for x in (images(2, 3, 7, 18), images(1, 2, 5, 39), images(1, 8, 17), images(6, 40)[::, ::-2]):
        same(greatest.interpret(x), pooled(x, window, stride, pads, -np.inf, np.max))
        same(means.interpret(x), pooled(x, window, stride, pads, 0, np.mean), 1e-6)


@pytest.mark.parametrize(("length", "step", "pads"), [(2, None, 0), (3, 1, 1), (20, 20, 0), (5, 2, (2, 0))])
def test_rows(length: int, step: Any, pads: Any):
    greatest = hologram.jit(lambda x: ops.max_pool1d(x, length, step, pads))
    means = hologram.jit(lambda x: ops.avg_pool1d(x, length, step, pads))
    around = [pads if isinstance(pads, tuple) else (pads, pads)]
    for x in (images(2, 3, 41), images(1, 1, 20), images(23)):
        same(greatest.interpret(x), pooled(x, (length,), (step or length,), around, -np.inf, np.max))
        same(means.interpret(x), pooled(x, (length,), (step or length,), around, 0, np.mean), 1e-6)


def test_one_program_serves_all_sizes():
    made = hologram.jit(lambda x: ops.max_pool2d(x, 3, 2, 1))
    for shape in ((1, 1, 4, 4), (2, 3, 9, 6), (1, 2, 5, 8)):
        made.interpret(images(*shape))
    assert sum(map(len, made._programs)) == 1


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "float16", "float64"])
def test_types(dtype: str):
    x = (images(1, 2, 5, 5) * 50 + (100 if dtype == "uint8" else 0)).clip(-128, 127).astype(dtype)
    least = -np.inf if x.dtype.kind == "f" else np.iinfo(dtype).min
    found = hologram.jit(lambda x: ops.max_pool2d(x, 3, 1, 1)).interpret(x)
    same(found, pooled(x, (3, 3), (1, 1), [(1, 1)] * 2, least, np.max))
    means = hologram.jit(lambda x: ops.avg_pool2d(x, 2)).interpret(x)
    same(means, pooled(x, (2, 2), (2, 2), [(0, 0)] * 2, 0, np.mean), 1e-3 if dtype == "float16" else 1e-6)


def test_ends():
    x = np.array([[np.nan, 1.0, -np.inf, -np.inf], [2.0, 3.0, -np.inf, -np.inf]], np.float32)
    same(hologram.jit(lambda x: ops.max_pool2d(x, 2)).interpret(x), np.array([[np.nan, -np.inf]], np.float32))
    none = hologram.jit(lambda x: ops.avg_pool2d(x, 2)).interpret(images(0, 3, 4, 4))
    same(none, np.zeros((0, 3, 2, 2), np.float32))


def test_compiled():
    x = images(2, 3, 9, 40)
    made = hologram.jit(lambda x: (ops.max_pool2d(x, 3, 2, 1), ops.avg_pool2d(x, (2, 20))))
    greatest, means = made(x)
    same(greatest, pooled(x, (3, 3), (2, 2), [(1, 1)] * 2, -np.inf, np.max))
    same(means, pooled(x, (2, 20), (2, 20), [(0, 0)] * 2, 0, np.mean), 1e-6)


@pytest.mark.parametrize("call", [lambda x: ops.max_pool1d(x, (2, 2)), lambda x: ops.avg_pool2d(x, 0)])
def test_windows_that_are_none(call: Any):
    with pytest.raises(hologram.InputError, match="a window is a number from 1 on"):
        hologram.jit(call).interpret(images(4, 4))
