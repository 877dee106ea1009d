"""conv2d, attention and flash_attention on the CPU against the interpreter, which computes in float64."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program
from hologram.errors import TrapError


def draw(*shape: int, dtype: Any = np.float32) -> Array:
    values = np.random.default_rng(sum(shape)).normal(size=shape)
    return (values * 4).astype(dtype) if np.dtype(dtype).kind == "i" else values.astype(dtype)


def close(found: Array, expected: Array, depth: int) -> bool:
    """Within a few roundings of sums of so many products of normal numbers; NaN at the same places."""
    if found.dtype.kind == "i":
        return np.array_equal(found, expected)
    step = {"float64": 2.0**-53, "float32": 2.0**-24}.get(found.dtype.name, 2.0**-8)
    a, b = found.astype(np.float64), expected.astype(np.float64)
    bound = 8 * (depth + 8) * min(step, 2.0**-24) + 2 * step * np.abs(b)
    with np.errstate(invalid="ignore"):
        return bool(((np.abs(a - b) <= bound) | (np.isnan(a) & np.isnan(b)) | (a == b)).all())


MORE = "HOLOGRAM_FUZZ" in os.environ
"""True if programs of dynamic sizes are run, which have many more tiles and take long."""
PLAIN = ("", (1, 1), (0, 0, 0, 0), (1, 1), 1)
PADDED = ("padding = [1, 2]", (1, 1), (1, 2, 1, 2), (1, 1), 1)
ALL = ("stride = [2, 1], padding = [1, 0, 2, 1], dilation = [1, 2], groups = 2", (2, 1), (1, 0, 2, 1), (1, 2), 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type", "case", "has_bias", "shapes"),
    [
        (np.float32, ALL, True, [((1, 4, 10, 8), (6, 2, 3, 2)), ((3, 2, 40, 33), (2, 1, 4, 3))]),
        (BF16, PADDED, True, [((2, 3, 5, 7), (4, 3, 3, 3))]),
        (np.float32, PLAIN, False, [((1, 1, 1, 1), (1, 1, 1, 1))]),
        (np.int32, PADDED, False, [((1, 2, 6, 500), (3, 2, 2, 3))]),
    ][: 4 if MORE else 2],
)  # fmt: skip
def test_conv2d(type: Any, case: Any, has_bias: bool, shapes: Any) -> None:
    attributes, stride, pads, dilation, _ = case
    for image, kernel in shapes:
        sizes = [
            (image[2 + n] + pads[n] + pads[n + 2] - dilation[n] * (kernel[2 + n] - 1) - 1) // stride[n] + 1
            for n in (0, 1)
        ]
        ins = [draw(*image, dtype=type), draw(*kernel, dtype=type), *([draw(kernel[0], dtype=type)] * has_bias)]
        out = np.full((image[0], kernel[0], *sizes), 9, type)
        text = program("conv2d", ins, [out], attributes, static=len(shapes) == 1)
        (found,), (expected,) = on_both(text, ins, [out])
        assert close(found, expected, math.prod(kernel[1:]))


def test_conv2d_of_strides_and_of_sizes_that_do_not_fit() -> None:
    x = draw(1, 3, 13, 12).swapaxes(2, 3)
    w = draw(2, 3, 3, 3)
    out = np.zeros((1, 2, 10, 11), np.float32)
    text = program("conv2d", [x, w], [out])
    (found,), (expected,) = on_both(text, [x, w], [out])
    assert close(found, expected, 27)
    kernel = hologram.compile(text)
    for image, shape in (((1, 3, 8, 8), (1, 2, 6, 7)), ((1, 4, 8, 8), (1, 2, 6, 6)), ((1, 3, 2, 8), (1, 2, 1, 6))):
        with pytest.raises(TrapError, match=r"atlas\.conv2d: (axis|the channels)"):
            kernel(draw(*image), w, np.zeros(shape, np.float32))


SHAPES = ((1, 130, 150, 16, 8), (2, 5, 7, 4, 3), (3, 1, 9, 8, 8), (1, 4, 2, 3, 2), (1, 3, 0, 2, 2), (0, 2, 2, 2, 2))
"""Batch, queries, keys, their size and that of the values."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "attributes", "type", "shapes"),
    [
        ("flash_attention", "causal = 1, block_size = 64", np.float32, SHAPES[:1]),
        ("flash_attention", "", np.float32, SHAPES[4:5]),
        ("attention", "causal = 1", np.float32, SHAPES[1:2]),
        ("attention", "scale = 0.3", BF16, SHAPES[3:4]),
        ("attention", "causal = 1", np.float32, SHAPES),
        ("flash_attention", "block_size = 64", np.float64, SHAPES),
    ][: 6 if MORE else 4],
)
def test_attention(name: str, attributes: str, type: Any, shapes: Any) -> None:
    masked = type is np.float32
    for batch, s, t, d, e in shapes:
        ins = [draw(*shape, dtype=type) for shape in ((batch, s, d), (batch, t, d), (batch, t, e))]
        if masked:
            mask = draw(s, t)
            mask[:, : t // 2] = np.where(mask[:, : t // 2] > 0, -np.inf, mask[:, : t // 2])
            mask[0] = -np.inf if s > 3 else mask[0]
            ins.append(mask)
        out = np.full((batch, s, e), 9, type)
        text = program(name, ins, [out], attributes, static=len(shapes) == 1)
        (found,), (expected,) = on_both(text, ins, [out])
        assert close(found, expected, t)
        if masked and s > 3 and t:
            assert np.isnan(found[:, 0]).all()
            assert not np.isnan(found[:, -1]).any()


def test_attention_of_heads_and_of_nan() -> None:
    q, k, v = draw(2, 2, 70, 8), draw(2, 2, 70, 8), draw(2, 2, 70, 8)
    q[0, 0, 3, 2], v[1, 1, 5, 0] = np.nan, np.inf
    out = np.zeros_like(q)
    (found,), (expected,) = on_both(program("attention", [q, k, v], [out], static=True), [q, k, v], [out])
    assert close(found, expected, 70)
    assert np.isnan(found[0, 0, 3]).all()
