"""Systems of equations and decompositions of matrices on every device, held against the interpreter."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL, Column
from hologram import ops

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
RNG = np.random.default_rng(11)
SQUARE, TALL = (RNG.standard_normal(shape).astype(np.float32) for shape in ((2, 5, 5), (2, 6, 3)))
DEFINITE = SQUARE @ SQUARE.swapaxes(1, 2) + np.eye(5, dtype=np.float32)
PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "cholesky": (lambda a: (ops.linalg.cholesky(a),), [DEFINITE]),
    "solve": (lambda a, b: (ops.linalg.solve(a, b), ops.linalg.det(a)), [SQUARE, TALL[:, :5]]),
    "qr": (lambda a: ops.linalg.qr(a), [TALL]),
    "eigh": (lambda a: ops.linalg.eigh(a), [DEFINITE]),
    "svd": (lambda a: ops.linalg.svd(a), [TALL]),
}


def cases() -> Iterator[Any]:
    """Each program on each device: those that drivers take seconds to compile are slow."""
    for column in KINDS:
        for name in PROGRAMS:
            is_slow = name in ("qr", "eigh", "svd") and column.kind != "wasm"
            yield pytest.param(column, name, marks=[pytest.mark.slow] * is_slow, id=f"{column.kind}-{name}")


@pytest.mark.parametrize(("column", "name"), list(cases()))
def test_like_the_interpreter(column: Column, name: str):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    function, given = PROGRAMS[name]
    made = hologram.jit(device=column.device)(function)
    for found, wanted in zip(made(*given), hologram.jit(function).interpret(*given), strict=True):
        np.testing.assert_allclose(found, wanted, 1e-4, 1e-5)
