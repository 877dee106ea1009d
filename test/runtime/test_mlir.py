"""Programs as MLIR: tensors in and out, layouts, memrefs in place, traps, and every later form of one program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver import graph
from hologram.runtime import cache as caches
from hologram.runtime.cache import CacheStats

CHAIN = """
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = hologram.add %a, %b : tensor<?x4xf32>
  %1 = hologram.mul %0, %a : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
"""
IN_PLACE = """
func.func @twice(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%i] : memref<?xf32>
  }
  return
}
"""
DIVIDE = """
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = hologram.div %a, %b : tensor<?xi32>
  return %0 : tensor<?xi32>
}
"""


@pytest.fixture(autouse=True)
def stats(monkeypatch: pytest.MonkeyPatch) -> CacheStats:
    fresh = CacheStats()
    monkeypatch.setattr(caches, "STATS", fresh)
    monkeypatch.setattr(graph, "STATS", fresh)
    return fresh


def matrix(rows: int = 3, columns: int = 4) -> Any:
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def expected(a: Any, b: Any) -> Any:
    return (a + b) * a


def test_tensors():
    a, b = matrix(), matrix() + 1
    kernel = hologram.compile(CHAIN)
    np.testing.assert_array_equal(kernel(a, b), expected(a, b))
    assert kernel(matrix(0), matrix(0)).shape == (0, 4)
    with pytest.raises(hologram.LaunchError, match="'a'"):
        kernel(matrix(3, 5), b)


def test_modules_stay_as_they_are():
    from hologram.dialects import make_context
    from hologram.frontend.mlir import parse_module

    module = parse_module(CHAIN, "chain.mlir", make_context())
    before = str(module)
    a = matrix()
    np.testing.assert_array_equal(hologram.compile(module)(a, a), expected(a, a))
    assert str(module) == before


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x[::2],
    lambda x: x[::-1],
    lambda x: x[:, ::-1],
    lambda x: np.asfortranarray(x),
    lambda x: np.broadcast_to(x[0], x.shape),
    lambda x: np.concatenate([x, x], axis=1)[:, 1:8:2],
]


@pytest.mark.parametrize("view", VIEWS)
def test_any_strides(view: Any, stats: CacheStats):
    kernel = hologram.compile(CHAIN)
    a = view(matrix(6))
    b = matrix(len(a)) + 1
    for x, y in ((a, b), (b, a), (a, a)):
        np.testing.assert_array_equal(kernel(x, y), expected(x, y))
    out = np.zeros((4, len(a)), np.float32).T
    assert kernel(a, b, out=out) is out
    np.testing.assert_array_equal(out, expected(a, b))
    assert stats.compiled == 2
    graph.clear_memory()
    hologram.compile(CHAIN)(a, b)
    assert (stats.compiled, stats.disk_hits) == (2, 2)


def test_strides_in_bytes():
    packed = np.zeros((3, 4), np.dtype([("x", "f4"), ("y", "u1")]))["x"]
    with pytest.raises(hologram.LaunchError, match="steps"):
        hologram.compile(CHAIN)(packed, matrix())


def test_in_place_and_fixed_layout():
    kernel = hologram.compile(IN_PLACE)
    x = np.arange(6, dtype=np.float32)
    assert kernel(x) is None
    np.testing.assert_array_equal(x, np.arange(6) * 2)
    with pytest.raises(hologram.LaunchError, match="ascontiguousarray") as caught:
        kernel(x[::2])
    assert caught.value.code == "launch-contiguous"


def test_trap_names_the_place(tmp_path: Path):
    path = tmp_path / "divide.mlir"
    path.write_text(DIVIDE)
    kernel = hologram.compile(path)
    a, b = np.array([7, 8, 9], np.int32), np.array([1, 0, 2], np.int32)
    with pytest.raises(hologram.TrapError, match="division by zero") as caught:
        kernel(a, b)
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == (str(path), 3)
    np.testing.assert_array_equal(kernel(a, b + 1), a // (b + 1))


def test_pipeline_and_isolation(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "all")
    monkeypatch.setenv("HOLOGRAM_DEBUG", "2")
    a = matrix()
    kernel = hologram.compile(CHAIN, pipeline="hologram-to-cpu")
    np.testing.assert_array_equal(kernel(a, a), expected(a, a))
    assert "stage bufferized" in (err := capsys.readouterr().err) or "stage buffers" in err
    with pytest.raises(hologram.UsageError, match="did you mean 'hologram-to-cpu'"):
        hologram.compile(CHAIN, pipeline="hologram-to-cp")


def test_errors_of_the_text():
    with pytest.raises(hologram.HologramError) as caught:
        hologram.compile("func.func @main() {\n  nonsense.op\n}")
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == ("<text>", 2)
