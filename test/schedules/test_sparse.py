"""sparse_gemm on the CPU against the interpreter: shapes, empty rows, repeated indices, traps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program
from hologram.errors import TrapError
from interpreter.running import fails, run


def draw(m: int, k: int, n: int, type: Any, index: Any) -> list[Array]:
    """Values, indices, starts and a dense matrix; some rows are empty, some indices repeat."""
    rng = np.random.default_rng(m + n)
    counts = rng.integers(0, 9, m) * rng.integers(0, 2, m) if k else np.zeros(m, int)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(index)
    count = int(starts[-1])
    return [
        rng.normal(0, 3, count).astype(type), rng.integers(0, max(k, 1), count).astype(index), starts,
        rng.normal(0, 3, (k, n)).astype(type),
    ]  # fmt: skip


@pytest.mark.parametrize(("type", "index"), [(np.float32, np.int32), (BF16, np.int64), (np.int16, np.int32)])
def test_products(type: Any, index: Any) -> None:
    text = program("sparse_gemm", draw(1, 1, 1, type, index), [np.zeros((1, 1), type)])
    for m, k, n in ((40, 17, 1), (33, 20, 77), (7, 5, 130), (1, 1, 64), (0, 3, 4), (3, 0, 5), (4, 4, 0)):
        ins = draw(m, k, n, type, index)
        (found,), (expected,) = on_both(text, ins, [np.full((m, n), 9, type)])
        if type is np.int16:
            assert np.array_equal(found, expected)
            continue
        a, b = found.astype(np.float64), expected.astype(np.float64)
        assert np.allclose(a, b, rtol=2.0**-7 if type is BF16 else 2.0**-21, atol=2.0**-18)


def test_traps() -> None:
    good = [np.ones(3, np.float32), np.array([0, 1, 1]), np.array([0, 1, 3]), np.ones((2, 4), np.float32)]
    out = np.zeros((2, 4), np.float32)
    text = program("sparse_gemm", good, [out])
    kernel = hologram.compile(text)
    for number, value, words, code in (
        (1, [0, 2, 1], "index out of range", "trap-gather-index"),
        (1, [0, -1, 1], "index out of range", "trap-gather-index"),
        (2, [0, 2, 1], "row starts must ascend", "trap-assert"),
        (2, [0, 1, 4], "row starts must ascend", "trap-assert"),
        (2, [-1, 1, 3], "row starts must ascend", "trap-assert"),
    ):
        ins = [np.array(value) if n == number else v for n, v in enumerate(good)]
        with pytest.raises(TrapError, match=words):
            kernel(*ins, out)
        fails(code, run, text, *ins, out)
    with pytest.raises(TrapError, match="one row start more"):
        kernel(*good, np.zeros((3, 4), np.float32))
