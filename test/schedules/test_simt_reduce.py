"""Reductions as launches, to the bit of the association: rows, columns and all, shapes around chunks and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import hologram
from schedules.device_forms import compiled, device_pipelines, same_bits

__all__ = ["device_pipelines"]
TARGETS = pytest.mark.parametrize("target", ["gpu", "cuda"])


def program(kind: str, type: str, rank: int, kept: Sequence[int], sizes: Sequence[int] | None = None) -> str:
    """A reduction of one array over the axes that are not kept."""
    shape = ["?"] * rank if sizes is None else [str(n) for n in sizes]
    source, out = (f"memref<{'x'.join([*dims, type])}>" for dims in (shape, [shape[d] for d in kept]))
    dims = ", ".join(f"d{d}" for d in range(rank))
    return f"""
func.func @main(%a: {source}, %r: {out}) {{
  atlas.reduce [{kind} {type}] ins(%a : {source}) outs(%r : {out})
    maps [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ({", ".join(f"d{d}" for d in kept)})>] {{
  ^bb0(%x: {type}):
    atlas.yield %x : {type}
  }}
  func.return
}}"""


def drawn(shape: Sequence[int], dtype: Any = np.float32) -> Any:
    rng = np.random.default_rng(11)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-100, 100, shape).astype(dtype)
    return (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 3, shape)).astype(dtype)


def check(text: str, target: str, *arrays: Any) -> None:
    """Fills the last array as the CPU does, to the bit."""
    *ins, out = arrays
    expected, found = np.full_like(out, 77), np.full_like(out, 77)
    hologram.compile(text)(*ins, expected)
    compiled(text, target)(*ins, found)
    assert same_bits(expected, found), out.shape


@pytest.mark.slow
@TARGETS
def test_sum_of_a_line(target: str):
    """One element, less than a chunk, groups of chunks, and enough for several parts; NaN; an odd address."""
    text = program("add", "f32", 1, ())
    for count in (0, 1, 127, 128, 129, 4095, 4097, 33_000, 300_001):
        check(text, target, drawn((count,)), np.zeros((), np.float32))
    check(text, target, drawn((9001,))[1:], np.zeros((), np.float32))
    a = drawn((5000,))
    a[4999] = np.nan
    check(text, target, a, np.zeros((), np.float32))
    check(text, target, np.full(300, -0.0, np.float32), np.zeros((), np.float32))


@pytest.mark.slow
@TARGETS
def test_rows(target: str):
    """Rows of a chunk at most share blocks; longer ones are cut."""
    text = program("add", "f32", 2, (0,))
    for shape in ((0, 3), (3, 0), (1, 1), (300, 5), (19, 4096), (3, 4100), (2, 70_003)):
        check(text, target, drawn(shape), np.zeros(shape[0], np.float32))


@pytest.mark.slow
@TARGETS
def test_columns(target: str):
    """More columns than a block has, fewer, no whole vectors; several chunks of rows."""
    text = program("add", "f32", 2, (1,))
    for shape in ((0, 3), (3, 0), (1, 1), (127, 129), (128, 260), (300, 5), (4097, 8), (13_000, 3)):
        check(text, target, drawn(shape), np.zeros(shape[1], np.float32))


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize("kept", [(0, 2), (1,), (2,), (1, 0)])
def test_other_axes(target: str, kept: tuple[int, ...]):
    for shape in ((3, 50, 7), (2, 1, 131)):
        check(program("add", "f32", 3, kept), target, drawn(shape), np.zeros([shape[d] for d in kept], np.float32))


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize(
    ("kind", "type", "dtype"),
    [
        ("max", "f32", np.float32),
        ("min.nan", "f64", np.float64),
        ("mul", "f32", np.float32),
        ("max", "i8", np.int8),
        ("add", "f16", np.float16),
    ],
)
def test_kinds_and_types(target: str, kind: str, type: str, dtype: Any):
    """Floats that are widened, integers in any order, NaN."""
    for axis, shape in ((0, (5, 5000)), (1, (5000, 5))):
        a = drawn(shape, dtype)
        if a.dtype.kind == "f":
            a[1, 1] = np.nan
        a = np.full_like(a, 1) + a * a.dtype.type(1e-3) if kind == "mul" else a
        check(program(kind, type, 2, (axis,)), target, a, np.zeros(shape[axis], dtype))


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize("kept", [(0,), (1,)])
def test_two_results_and_a_finish(target: str, kept: tuple[int, ...]):
    """The sum and the greatest of products, and what a finish region makes of them."""
    row = "memref<?xf32>"
    text = f"""
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: {row}, %s: {row}) {{
  atlas.reduce [add f32, max f32] ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%r, %s : {row}, {row})
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d{kept[0]})>,
          affine_map<(d0, d1) -> (d{kept[0]})>] {{
  ^bb0(%x: f32, %y: f32):
    %p = atlas.mul f32 %x, %y
    atlas.yield %p, %x : f32, f32
  }} finish {{
  ^bb0(%p: f32, %m: f32):
    %q = atlas.sqrt f32 %m
    atlas.yield %p, %q : f32, f32
  }}
  func.return
}}"""
    for shape in ((7, 4200), (130, 36)):
        a, b = drawn(shape), drawn(shape)[::-1].copy()
        found, expected = ([np.zeros(shape[kept[0]], np.float32) for _ in range(2)] for _ in range(2))
        hologram.compile(text)(a, b, *expected)
        compiled(text, target)(a, b, *found)
        assert all(same_bits(x, y) for x, y in zip(expected, found, strict=True))


@TARGETS
def test_static_sizes(target: str):
    """A sum that is known to be one chunk is one launch."""
    check(program("add", "f32", 2, (0,), (3, 256)), target, drawn((3, 256)), np.zeros(3, np.float32))
