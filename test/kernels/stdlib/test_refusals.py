"""What kernels of the library refuse: each ends in an error that names the reason, and the line where there is one."""

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
    ("matrix/gemm", "gemm", [M, M, np.zeros((4, 3), np.float32), 1.0, 0.0], r"a\[1\] == b\[0\]"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "name", "arguments", "reason"), REFUSED)
def test_refused(file: str, name: str, arguments: list[Any], reason: str):
    with pytest.raises(HologramError, match=reason):
        load(file, name)(*arguments)
