"""Kernels for devices with blocks of threads, as loops of this machine, against the pipeline of the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram

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
