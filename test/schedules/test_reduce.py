"""Reductions to the bit: shapes around the edges of lanes, chunks and tiles, every kind, static and dynamic sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.lowering.schedules.common.target import TARGETS
from schedules.model import Array, combine

pytestmark = pytest.mark.slow
F32 = np.dtype(np.float32)
ML_NAMES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}


def program(
    kind: str, type: str, rank: int, kept: Sequence[int], shape: Sequence[int] | None = None, attributes: str = ""
) -> str:
    """A reduction of one array over the axes that are not kept."""
    sizes = ["?"] * rank if shape is None else [str(n) for n in shape]
    source = f"memref<{'x'.join([*sizes, type])}>"
    out = f"memref<{'x'.join([*(sizes[d] for d in kept), type])}>"
    dims = ", ".join(f"d{d}" for d in range(rank))
    kept_dims = ", ".join(f"d{d}" for d in kept)
    return f"""
func.func @main(%a: {source}, %r: {out}) {{
  atlas.reduce [{kind} {type}] ins(%a : {source}) outs(%r : {out})
    maps [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ({kept_dims})>] {{
  ^bb0(%x: {type}):
    atlas.yield %x : {type}
  }} {attributes}
  func.return
}}"""


def flattened(a: Array, kept: Sequence[int]) -> Array:
    """The reduced index first, row-major over its axes; then the kept axes."""
    reduced = [d for d in range(a.ndim) if d not in kept]
    count = int(np.prod([a.shape[d] for d in reduced]))
    return a.transpose([*reduced, *kept]).reshape([count, *(a.shape[d] for d in kept)])


def drawn(shape: Sequence[int], type: str = "f32") -> Array:
    rng = np.random.default_rng(7)
    if type.startswith("i"):
        return rng.integers(-1000, 1000, shape).astype(ML_NAMES[type])
    return (rng.normal(0, 1, shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(ML_NAMES[type])


COUNTS = (0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 200, 4095, 4096, 4097, 4224, 8192, 12300, 20481, 28672, 33000)


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_sum_of_a_line(type: str) -> None:
    kernel = hologram.compile(program("add", type, 1, ()))
    for count in COUNTS:
        a, r = drawn((count,), type), np.full((), 9, ML_NAMES[type])
        kernel(a, r)
        assert r == combine(a, np.add, -0.0), count
        assert not np.signbit(r) or count


@pytest.mark.parametrize("count", [0, 1, 3, 100, 128, 300, 4096, 5000])
def test_sum_of_a_static_line(count: int) -> None:
    a, r = drawn((count,)), np.full((), 9, F32)
    hologram.compile(program("add", "f32", 1, (), (count,)))(a, r)
    assert r == combine(a, np.add, -0.0)


@pytest.mark.parametrize("kept", [(0,), (1,), (2,)])
def test_static_sizes_of_zero(kept: tuple[int, ...]) -> None:
    for kind in ("add", "max"):
        for shape in ((2, 3, 0), (2, 0, 3), (0, 2, 3)):
            text = program(kind, "f32", 3, kept, shape)
            r = np.full([shape[d] for d in kept], 9, F32)
            hologram.compile(text)(drawn(shape), r)
            assert (r == (0 if kind == "add" else -np.inf)).all()


def test_all_negative_zeros_sum_to_negative_zero() -> None:
    kernel = hologram.compile(program("add", "f32", 1, ()))
    for count in (1, 300):
        r = np.zeros((), F32)
        kernel(np.full(count, -0.0, F32), r)
        assert np.signbit(r)


SHAPES: dict[tuple[int, ...], list[tuple[int, ...]]] = {
    (0,): [(5, 7), (3, 4100), (0, 5), (5, 0), (1, 1), (2, 129)],
    (1,): [(7, 5), (300, 3), (4100, 40), (9000, 2), (5, 300), (130, 257), (0, 5), (5, 0), (1, 1), (33, 512)],
}


@pytest.mark.parametrize("kept", SHAPES, ids=["rows", "columns"])
@pytest.mark.parametrize("kind", ["add", "mul"])
def test_rows_and_columns(kept: tuple[int, ...], kind: str) -> None:
    kernel = hologram.compile(program(kind, "f32", 2, kept))
    op, identity = (np.add, -0.0) if kind == "add" else (np.multiply, 1.0)
    for shape in SHAPES[kept]:
        a = drawn(shape) if kind == "add" else np.random.default_rng(1).uniform(0.9, 1.1, shape).astype(F32)
        r = np.full([shape[d] for d in kept], 9, F32)
        kernel(a, r)
        np.testing.assert_array_equal(r, combine(flattened(a, kept), op, identity), err_msg=str(shape))


@pytest.mark.parametrize("kept", [(1,), (0, 2), (0,), (2,), (2, 0), (), (1, 0)])
def test_three_axes(kept: tuple[int, ...]) -> None:
    kernel = hologram.compile(program("add", "f32", 3, kept))
    for shape in ((3, 4, 5), (20, 3, 300), (2, 3, 4100), (70, 2, 71), (5, 1, 1), (0, 2, 3), (2, 3, 0)):
        a, r = drawn(shape), np.full([shape[d] for d in kept], 9, F32)
        kernel(a, r)
        np.testing.assert_array_equal(r, combine(flattened(a, kept), np.add, -0.0), err_msg=str(shape))


@pytest.mark.parametrize("tile", [1, 3, 16])
def test_the_tile_changes_no_bits(tile: int) -> None:
    kernel = hologram.compile(program("add", "f32", 2, (1,), None, f"{{schedule = {{tile = {tile} : i64}}}}"))
    a, r = drawn((300, 37)), np.zeros(37, F32)
    kernel(a, r)
    np.testing.assert_array_equal(r, combine(a, np.add, -0.0))


def test_rows_side_by_side_change_no_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, "cpu", replace(TARGETS["cpu"], rows=4))
    counts = (0, 1, 3, 127, 129, 384, 385, 511, 513, 650, 4096, 4097, 4500, 9000)
    sizes = [(None, counts), *((n, (n,)) for n in (384, 385, 650))]
    for size, given in sizes:
        shape = None if size is None else (size, 261)
        kernel = hologram.compile(program("add", "f32", 2, (1,), shape), cache=False)
        for count in given:
            a, r = drawn((count, 261)), np.full(261, 9, F32)
            kernel(a, r)
            np.testing.assert_array_equal(r, combine(a, np.add, -0.0), err_msg=str((size, count)))


KINDS: dict[str, tuple[Any, float]] = {
    "min": (np.fmin, np.inf),
    "max": (np.fmax, -np.inf),
    "min.nan": (np.minimum, np.inf),
    "max.nan": (np.maximum, -np.inf),
}


@pytest.mark.parametrize("kept", [(), (0,), (1,)])
@pytest.mark.parametrize("kind", KINDS)
def test_extremes(kind: str, kept: tuple[int, ...]) -> None:
    op, identity = KINDS[kind]
    kernel = hologram.compile(program(kind, "f32", 2, kept))
    for shape in ((6, 130), (130, 6), (0, 4), (4, 0), (40, 400)):
        for nans in (0, 3):
            a = drawn(shape)
            a.reshape(-1)[: nans * (a.size > nans)] = np.nan
            r = np.zeros([shape[d] for d in kept], F32)
            kernel(a, r)
            want = op.reduce(flattened(a, kept), axis=0, initial=identity)
            np.testing.assert_array_equal(r, np.where(np.isnan(want) & (".nan" not in kind), identity, want))


@pytest.mark.parametrize("kind", ["add", "mul", "min", "max"])
@pytest.mark.parametrize("kept", [(), (0,), (1,)])
def test_integers(kind: str, kept: tuple[int, ...]) -> None:
    op = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}[kind]
    limits = np.iinfo(np.int32)
    start = {"add": 0, "mul": 1, "min": limits.max, "max": limits.min}[kind]
    kernel = hologram.compile(program(kind, "i32", 2, kept))
    for shape in ((6, 130), (130, 6), (300, 40), (0, 4), (4, 0)):
        a = drawn(shape, "i32")
        r = np.zeros([shape[d] for d in kept], np.int32)
        kernel(a, r)
        np.testing.assert_array_equal(r, op.reduce(flattened(a, kept), axis=0, initial=start, dtype=np.int32))


TWO = """
func.func @main(%a: memref<?x?xf16>, %w: memref<?xf32>, %mean: memref<?xf16>, %top: memref<?xf32>) {
  atlas.reduce [add f32, max f32] ins(%a, %a : memref<?x?xf16>, memref<?x?xf16>) finish_ins(%w : memref<?xf32>)
    outs(%mean, %top : memref<?xf16>, memref<?xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
          affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%x: f16, %y: f16):
    %u = atlas.cvt f16 to f32 %x
    %v = atlas.cvt f16 to f32 %y
    %q = atlas.mul f32 %v, %v
    atlas.yield %u, %q : f32, f32
  } finish {
  ^bb0(%s: f32, %m: f32, %k: f32):
    %t = atlas.mul f32 %s, %k
    %h = atlas.cvt f32 to f16 %t
    %n = atlas.add f32 %m, %k
    atlas.yield %h, %n : f16, f32
  }
  func.return
}"""


def test_two_values_and_a_finish() -> None:
    kernel = hologram.compile(TWO)
    for shape in ((5, 300), (3, 0), (1, 1)):
        a = np.random.default_rng(3).normal(0, 1, shape).astype(np.float16)
        w = np.arange(shape[0], dtype=F32) + 1
        mean, top = np.zeros(shape[0], np.float16), np.zeros(shape[0], F32)
        kernel(a, w, mean, top)
        wide = a.astype(F32)
        np.testing.assert_array_equal(mean, (combine(wide.T, np.add, -0.0) * w).astype(np.float16))
        np.testing.assert_array_equal(top, np.max(wide * wide, axis=1, initial=-np.inf) + w)


def test_named_sum_of_a_narrow_float_is_accumulated_wide() -> None:
    text = """
func.func @main(%a: memref<?x?xbf16>, %r: memref<bf16>) {
  atlas.parallel_reduce ins(%a : memref<?x?xbf16>) outs(%r : memref<bf16>)
    {kind = #atlas.kind<add>, type = #atlas.dtype<bf16>}
  func.return
}"""
    import ml_dtypes

    a = np.random.default_rng(3).uniform(0, 1, (50, 70)).astype(ml_dtypes.bfloat16)
    r = np.zeros((), ml_dtypes.bfloat16)
    hologram.compile(text)(a, r)
    assert r == combine(a.astype(F32).reshape(-1), np.add, -0.0).astype(ml_dtypes.bfloat16)
