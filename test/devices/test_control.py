"""Loops and choices of tensor functions are one program on every device: what decides is read by the host there."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL, Column
from hologram import ops
from hologram.errors import TrapError

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
EXAMPLE = Path(__file__).parents[2] / "examples" / "loops.py"
RNG = np.random.default_rng(3)
SMALL, LARGE = (RNG.standard_normal(n).astype(np.float32) * 0.1 for n in (3, 5001))


def heat(u: Any, steps: Any) -> Any:
    return ops.fori_loop(0, steps, lambda _, u: u + 0.25 * ops.pad(u[2:] - 2 * u[1:-1] + u[:-2], (1, 1)), u)


def grown(x: Any) -> Any:
    """As long as a reduction says, with a count beside."""
    return ops.while_loop(lambda v: ops.max(v[0]) < 50, lambda v: (v[0] + v[0], v[1] + 1), (ops.abs(x) + 1, 0))


def root(x: Any) -> Any:
    """Newton's iteration."""
    return ops.while_loop(lambda v: ops.max(ops.abs(v * v - x)) > 1e-4, lambda v: (v + x / v) * 0.5, x + 1)


PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "heat": (heat, [100]),
    "none": (heat, [0]),
    "grown": (grown, []),
    "root": (lambda x: root(ops.abs(x) + 1), []),
    "chosen": (lambda x: ops.cond(ops.sum(x) > 0, lambda: x * 2, lambda: ops.exp(x)), []),
    "switched": (lambda x, n: ops.switch(n, [lambda: x + 1, lambda: x * 2, lambda: x - 3]), [np.int32(1)]),
    "scanned": (lambda x: ops.scan(lambda c, v: (c * 0.5 + v, c), np.float32(0), x[:200]), []),
    "backwards": (lambda x: ops.scan(lambda c, v: (c + v, (c, v)), np.float32(0), x[:200], reverse=True), []),
    "swapped": (lambda x: ops.fori_loop(0, 5, lambda i, ab: (ab[1], ab[0] + ab[1] + i), (x, x * 2)), []),
    "nested": (lambda x: ops.fori_loop(0, 3, lambda i, v: ops.fori_loop(0, i, lambda j, w: w + j, v), x), []),
    "bounded": (lambda x, n: ops.fori_loop(1, n, lambda i, v: v + i, x), [np.array(7)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_like_the_interpreter(column: Column, name: str):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    function, rest = PROGRAMS[name]
    compiled = hologram.jit(device=column.device)(function)
    for x in (SMALL, LARGE):
        wanted = hologram.jit(function).interpret(x, *rest)
        for a, b in zip(_leaves(compiled(x, *rest)), _leaves(wanted), strict=True):
            np.testing.assert_allclose(a, b, 1e-5, 1e-6)


def _leaves(value: Any) -> list[Any]:
    return [v for part in value for v in _leaves(part)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_a_loop_ends_when_a_kernel_traps(column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")

    @hologram.jit(device=column.device)
    def walk(x: Any, place: Any) -> Any:
        return ops.while_loop(lambda v: ops.sum(v[0]) > 0, lambda v: (v[0] * ops.gather(x, v[1]), v[1] + 1), (x, place))

    x = np.ones(5000, np.float32)
    with pytest.raises(TrapError, match="index out of range"):
        walk(x, np.array([4990]))
    x[4995] = 0
    assert walk(x, np.array([4990]))[1] == 4996


@pytest.mark.parametrize("kind", ["opencl", "wasm"])
def test_the_example_of_loops(kind: str):
    (column,) = [c for c in KINDS if c.kind == kind]
    if column.missing:
        pytest.skip(f"{kind}: {column.missing}")
    command = [sys.executable, "-P", str(EXAMPLE), "--device", column.device]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("as numpy's") == 3
