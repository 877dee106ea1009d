"""The rows of kernels/stdlib/attention."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.stdlib.cases import FLOATS, NUMBERS, Array, Draw, Row


def heads(on: Draw, count: int, s: int, t: int, d: int, e: int = 0) -> list[Any]:
    """Queries, keys and values."""
    return [on.array(count, s, d), on.array(count, t, d), on.array(count, t, e or d), on.blank(count, s, e or d),
            d**-0.5]  # fmt: skip


def weights(q: Array, k: Array, scale: float, causal: bool) -> Array:
    """The softmax of the scores of each query."""
    scores = scale * q @ k.swapaxes(1, 2)
    s, t = scores.shape[1:]
    if causal:
        scores = np.where(np.arange(t)[None, :] > np.arange(s)[:, None] + t - s, -np.inf, scores)
    found = np.exp(scores - scores.max(2, keepdims=True, initial=-np.inf))
    return found / found.sum(2, keepdims=True)


def attended(causal: bool = False) -> Callable[..., Array]:
    return lambda q, k, v, out, scale: weights(q, k, scale, causal) @ v


def at_most(q: Array, k: Array, v: Array, out: Array, scale: float) -> Any:
    """The unit of errors: the greatest value, times the factor that the greatest score adds to the error of exp."""
    return np.abs(v).max(initial=1) * (1 + np.abs(scale * q @ k.swapaxes(1, 2)).max(initial=1))


def turned(halves: bool) -> Callable[..., Array]:
    def right(x: Array, freqs: Array, _: Array) -> Array:
        d = x.shape[3]
        low, high = (slice(0, d // 2), slice(d // 2, d)) if halves else (slice(0, d, 2), slice(1, d, 2))
        a, b = x[..., low], x[..., high]
        c, s = (f(freqs)[None, :, None, :] for f in (np.cos, np.sin))
        found = np.empty(x.shape)
        found[..., low], found[..., high] = a * c - b * s, a * s + b * c
        return found

    return right


def placed(on: Draw, batch: int, s: int, count: int, d: int) -> list[Any]:
    """Vectors and angles."""
    return [on.array(batch, s, count, d), on.uniform(-30, 30, s, d // 2), on.blank(batch, s, count, d)]


def updated(cache: Array, rows: Array, position: int) -> Array:
    found = cache.copy()
    found[:, position : position + rows.shape[1]] = rows
    return found


SHAPES = ((1, 1, 1, 1), (0, 2, 2, 4), (2, 0, 3, 4), (2, 3, 0, 4), (2, 5, 7, 3), (1, 3, 130, 16), (2, 70, 65, 8))
WIDE = tuple((*s, s[3] + 130) for s in SHAPES[4:]) + SHAPES[:4]
ERRORS = {"f32": 16.0, "f64": 16.0, "f16": 1.0, "bf16": 1.0}
ROWS = [
    Row("attention/attention", heads, attended(), WIDE, FLOATS, (3,), ulps=ERRORS, scale=at_most),
    Row("attention/attention", heads, attended(True), SHAPES, ("f32",), (3,), constants={"CAUSAL": 1}, label="causal",
        ulps=ERRORS, scale=at_most),
    *(
        Row("attention/flash_attention", heads, attended(causal), [s for s in SHAPES if s[3] == d],
            FLOATS if d == 8 else ("f32",), (3,), constants={"HEAD": d, "KEYS": keys, "CAUSAL": int(causal)},
            label=f"{d}-{keys}{'-causal' if causal else ''}", ulps=ERRORS, scale=at_most)
        for d, keys, causal in (
            (1, 32, False), (3, 4, False), (4, 2, True), (8, 32, False), (8, 16, True), (16, 8, True),
        )
    ),
    Row("attention/flash_attention", heads, attended(), ((1, 65, 70, 64), (1, 3, 40, 5, 64), (1, 2, 3, 64, 7)),
        ("f32",), (3,), label="64", ulps=ERRORS, scale=at_most),
    *(
        Row("attention/rope", placed, turned(halves), ((0, 1, 1, 2), (1, 1, 1, 2), (2, 3, 2, 6), (1, 2, 3, 130)),
            FLOATS, label="halves" if halves else "", constants={"HALVES": int(halves)}, ulps=4.0,
            scale=lambda x, freqs, out: np.abs(x).max(initial=1))
        for halves in (False, True)
    ),
    Row("attention/kv_cache_update",
        lambda on, count, t, s, d, position: [on.array(count, t, d), on.array(count, s, d), position], updated,
        ((2, 5, 0, 3, 5), (1, 1, 1, 1, 0), (3, 7, 2, 5, 4), (2, 9, 9, 70, 0)), NUMBERS, (0,)),
]  # fmt: skip
