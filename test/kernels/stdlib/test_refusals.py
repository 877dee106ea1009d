"""Calls that kernels of the library refuse, each with an error that names the reason, and a line if there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hologram.errors import HologramError
from kernels.stdlib.cases import load

X, M = np.ones(4, np.float32), np.ones((4, 3), np.float32)
PLACES = np.array([0, 9])
REFUSED: list[tuple[str, str, list[Any], str]] = [
    ("vector/vector_add", "vector_add", [X[:2].copy(), X, X.copy()], r"'a\[0\] == b\[0\]' does not hold"),
    ("vector/vector_add", "vector_add", [X, X.astype(np.float64), X.copy()], "f64|float64"),
    ("vector/vector_add", "vector_add", [X, X], "takes 3 arguments"),
    ("vector/vector_add", "vector_add", [X, M, X.copy()], "dimension|rank|axes|1-d"),
    ("vector/vector_div", "vector_div", [np.ones(2, int), np.zeros(2, int), np.ones(2, int)], "division by zero"),
    ("vector/gather", "gather", [M, PLACES, M[:2].copy()], r"gather.py:\d+:\d+: .*out of (range|bounds)"),
    ("vector/gather", "gather", [M, -PLACES, M[:2].copy()], "out of (range|bounds)"),
    ("vector/scatter", "scatter_winners", [PLACES, np.full(4, -1, np.int32)], "out of (range|bounds)"),
    ("reduce/argmax", "argmax", [X[:0].copy(), np.zeros(1, np.int64)], "out of (range|bounds)"),
    ("reduce/argmin", "argmin_rows", [M[:, :0].copy(), np.zeros(4, np.int64)], "out of (range|bounds)"),
    ("activation/relu", "relu", [X, X], "shares memory with"),
    ("loss/mse", "mse", [X, X[:2].copy(), X[:1].copy()], r"pred\[0\] == target\[0\]"),
    ("loss/cross_entropy_logits", "cross_entropy_logits", [M[:1].copy(), np.array([3], np.int32), X[:1].copy()],
     r"cross_entropy_logits.py:\d+:\d+: .*out of (range|bounds)"),
    ("attention/kv_cache_update", "kv_cache_update", [M.reshape(1, 4, 3).copy(), M[:2].reshape(1, 2, 3).copy(), 3],
     r"kv_cache_update.py:\d+:\d+: .*out of (range|bounds)"),
    ("attention/flash_attention", "flash_attention",
     [np.ones((1, 2, 65), np.float32), *[np.ones((1, n, 65), np.float32) for n in (3, 3, 2)], 1.0],
     r"flash_attention.py:\d+:\d+: .*out of (range|bounds)"),
    ("shape/narrow", "narrow", [np.ones((1, 4, 1), np.float32), np.ones((1, 3, 1), np.float32), 2],
     "out of (range|bounds)"),
    ("conv/conv2d", "conv2d", [np.ones((1, 3, 2, 2), np.float32), np.ones((1, 2, 1, 1), np.float32),
                               np.ones((1, 1, 2, 2), np.float32), 1, 1, 0, 0, 1, 1, 1], "does not hold"),
    ("matrix/gemm", "gemm", [M, M, np.zeros((4, 3), np.float32), 1.0, 0.0], r"a\[1\] == b\[0\]"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("file", "name", "arguments", "reason"), REFUSED)
def test_refused(file: str, name: str, arguments: list[Any], reason: str):
    with pytest.raises(HologramError, match=reason):
        load(file, name)(*arguments)


def test_axes_are_named_once():
    """Else elements would be taken from anywhere in range."""
    x = np.ones((2, 2, 2, 2), np.float32)
    wrong: list[dict[str, Any]] = [{"FIRST": 1}, {"SECOND": 0, "THIRD": 0}, {"FOURTH": 4}]
    for constants in wrong:
        with pytest.raises(HologramError, match=r"permute.py:\d+:5: error: .*each axis is named once"):
            load("shape/permute", "permute")(x, x.copy(), **constants)


def test_arrays_of_any_strides_go_by_contiguous():
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.empty((3, 2), np.float32)
    with pytest.raises(HologramError, match="argument 'x' must be contiguous in C order"):
        load("activation/softmax", "softmax")(x.T, y)
    load("shape/contiguous", "contiguous")(x.T[None, None], y[None, None])
    assert (y == x.T).all()


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ({"c": M}, "has no constant 'c'(?s:.*)\nhint: arrays and scalars are given by their places"),
        ({"beta": 0.0}, "has no constant 'beta'(?s:.*)\nhint: arrays and scalars are given by their places"),
        ({"transpose_a": 1}, "has no constant 'transpose_a'(?s:.*)\nhint: "),
        ({"TRANSPOSE_A": [1]}, r"the constant 'TRANSPOSE_A' is a number, not \[1\]"),
        ({"TRANSPOSE_A": M}, "the constant 'TRANSPOSE_A' is a number, not array"),
        ({"T": ["f32"]}, r"'T' of 'gemm' can't be \['f32'\]"),
    ],
)
def test_what_is_no_constant(named: dict[str, Any], reason: str):
    gemm = load("matrix/gemm", "gemm")
    with pytest.raises(HologramError, match=reason):
        gemm(M, M, **named)
    with pytest.raises(HologramError, match=reason):
        gemm.compile(**named)
