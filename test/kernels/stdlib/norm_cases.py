"""The rows of kernels/stdlib/norm."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.stdlib.cases import FLOATS, Array, Draw, Row
from kernels.stdlib.loss_cases import wide

EPS = 1e-5
MATRICES = ((0, 4), (3, 0), (1, 1), (3, 5), (2, 128), (5, 257), (2, 4099), (1, 3 * 4096 + 130))
IMAGES = ((0, 3, 4), (2, 3, 0), (1, 1, 1), (2, 3, 5), (3, 4, 49), (2, 2, 300), (2, 1, 4099))


def rows_of(on: Draw, rows: int, n: int) -> list[Any]:
    """Rows, factors and offsets."""
    return [on.array(rows, n), on.array(n), on.array(n), on.blank(rows, n), EPS]


def with_special(on: Draw, rows: int, n: int) -> list[Any]:
    """Rows of which some hold a NaN or an infinity."""
    found = rows_of(on, rows, n)
    found[0][0, n // 2] = np.nan
    found[0][1, 0] = np.inf
    return found


def over_rows(x: Array, gamma: Array, beta: Array, _: Array, eps: float) -> Array:
    if not x.shape[1]:
        return x
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps) * gamma + beta


def planes(on: Draw, batch: int, channels: int, spatial: int) -> list[Any]:
    """Images, and what is known of the channels."""
    known = [on.array(channels), on.array(channels), on.array(channels), on.uniform(0, 3, channels)]
    return [on.array(batch, channels, spatial), *known, on.blank(batch, channels, spatial), EPS]


def normalised(x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, _: Array, eps: float) -> Array:
    factor, offset, center, spread = (v[None, :, None] for v in (gamma, beta, mean, np.sqrt(variance + eps)))
    return (x - center) / spread * factor + offset


def channels_of(on: Draw, batch: int, channels: int, spatial: int) -> list[Any]:
    """Images, and arrays for what is known of the channels."""
    images = on.array(batch, channels, spatial)
    return [images, on.blank(channels, dtype=wide(on.dtype)), on.blank(channels, dtype=wide(on.dtype))]


def statistics(x: Array, *_: Array) -> tuple[Array, Array]:
    n = np.float64(x.shape[0] * x.shape[2])
    mean = x.sum((0, 2)) / n
    return mean, ((x - mean[None, :, None]) ** 2).sum((0, 2)) / n


def groups_of(on: Draw, batch: int, channels: int, groups: int, spatial: int) -> list[Any]:
    """Images cut into groups."""
    size = channels // groups * spatial
    images = on.array(batch * groups, size)
    return [images, on.array(channels), on.array(channels), on.blank(batch * groups, size), spatial, EPS]


def in_groups(x: Array, gamma: Array, beta: Array, _: Array, spatial: int, eps: float) -> Array:
    unit = over_rows(x, np.ones(1), np.zeros(1), x, eps)
    images = unit.reshape(-1, len(gamma), spatial)
    return (images * gamma[None, :, None] + beta[None, :, None]).reshape(x.shape)


# Errors are some units of what is added and subtracted, which is not much more than the greatest element times gamma.
NEAR = {"f32": 24.0, "f64": 24.0, "f16": 1.0, "bf16": 1.0}


def magnitude(x: Array, gamma: Array, beta: Array, *_: Any) -> Any:
    return 4 * np.abs(gamma).max(initial=1) + np.abs(beta).max(initial=1)


ROWS = [
    Row("norm/layer_norm", rows_of, over_rows, MATRICES, FLOATS, (3,), ulps=NEAR, scale=magnitude),
    Row("norm/layer_norm", with_special, over_rows, ((3, 5), (4, 257)), FLOATS, (3,), label="special", ulps=NEAR,
        scale=magnitude),
    Row("norm/layer_scale", lambda on, rows, n: [on.array(rows, n), on.array(n), on.blank(rows, n)],
        lambda x, scale, out: x * scale, MATRICES, FLOATS),
    Row("norm/batch_norm", planes, normalised, IMAGES, FLOATS, (5,), ulps=NEAR,
        scale=lambda x, gamma, beta, mean, variance, *_: np.broadcast_to(
            (4 + np.abs(mean) + 4) / np.sqrt(variance + EPS) * np.abs(gamma) + np.abs(beta), x.shape[:1] + x.shape[1:2]
        )[:, :, None]),
    Row("norm/batch_norm", channels_of, statistics, tuple(s for s in IMAGES if s[0]), FLOATS, (1, 2),
        name="batch_norm_statistics", ulps=24.0, scale=lambda *_: 4.0),
    Row("norm/group_norm", groups_of, in_groups,
        ((0, 4, 2, 3), (1, 1, 1, 1), (2, 4, 2, 5), (2, 6, 3, 49), (1, 6, 1, 800), (3, 4, 4, 130)), FLOATS, (3,),
        ulps=NEAR, scale=magnitude),
]  # fmt: skip
