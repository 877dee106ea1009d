"""Kernels for devices with blocks of threads, as loops of this machine, against the pipeline of the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from device_runtime import REVERSE, reversed_by
from extension_programs import Array, program
from hologram.errors import TrapError
from interpreter.running import run

EXAMPLES = Path(__file__).parents[2] / "examples"
PIPELINE = "hologram-to-cpu-simt"


def _run(name: str, *arguments: Any) -> tuple[Any, Any]:
    path = EXAMPLES / f"{name}.mlir"
    return hologram.compile(path)(*arguments), hologram.compile(path, pipeline=PIPELINE)(*arguments)


@pytest.mark.parametrize("count", [0, 1, 257, 20_001])
def test_saxpy(count: int):
    x, y = np.random.default_rng(1).standard_normal((2, count)).astype(np.float32)
    expected, found = _run("saxpy", 2.5, x, y)
    assert np.array_equal(expected, found)


@pytest.mark.parametrize("count", [1, 256, 1_000])
def test_block_sum(count: int):
    x = np.random.default_rng(2).standard_normal(count).astype(np.float32)
    expected, found = _run("block_sum", x)
    assert np.array_equal(expected, found)


@pytest.mark.parametrize("shape", [(0, 4), (1, 1), (7, 133)])
def test_softmax(shape: tuple[int, int]):
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    x[:1, :1] = -np.inf
    expected, found = _run("softmax", x)
    np.testing.assert_allclose(found, expected, rtol=2e-6)


@pytest.mark.parametrize("count", [1, 255, 5_001])
def test_tables_in_workgroup_memory(count: int):
    x = np.random.default_rng(4).normal(0, 3, count).astype(np.float32)
    x[:1] = np.nan
    text = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.gelu %x : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
"""
    expected, found = (hologram.compile(text, pipeline=pipeline)(x) for pipeline in (None, PIPELINE))
    assert np.array_equal(expected.view(np.int32), found.view(np.int32))


def test_memory_of_a_block():
    reversed_by(hologram.compile(REVERSE, pipeline=PIPELINE))


def _on_both(name: str, ins: list[Array], out: Array, attributes: str = "", **how: Any) -> tuple[Array, Array]:
    """The arrays that the kernels and the interpreter write."""
    text = program(name, ins, [out], attributes, **how)
    found, expected = out.copy(), out.copy()
    hologram.compile(text, pipeline=PIPELINE, opt_level=0)(*ins, found)
    run(text, *ins, expected)
    return found, expected


def _draw(*shape: int) -> Array:
    return np.random.default_rng(4).standard_normal(shape).astype(np.float32)


def test_loops_of_a_host_that_launches():
    """Queries of different numbers: each group asks for memory of its own, so the host goes over them."""
    q = _draw(2, 5, 8)
    found, expected = _on_both("attention", [q, q, q], np.zeros_like(q))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_transforms_of_an_odd_length():
    z = _draw(2, 7, 2)
    found, expected = _on_both("fft", [z], np.zeros_like(z), "inverse = 1", static=True)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_trap_of_a_parallel_loop():
    """The record that a launch passes is an argument of the kernel, and says so."""
    values, starts, dense = _draw(3), np.array([0, 2, 3], np.int32), _draw(4, 5)
    inside, outside = np.array([0, 3, 1], np.int32), np.array([0, 3, 4], np.int32)
    out = np.zeros((2, 5), np.float32)
    found, expected = _on_both("sparse_gemm", [values, inside, starts, dense], out)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    text = program("sparse_gemm", [values, inside, starts, dense], [out])
    with pytest.raises(TrapError):
        hologram.compile(text, pipeline=PIPELINE, opt_level=0)(values, outside, starts, dense, out)
