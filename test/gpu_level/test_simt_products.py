"""Products, transposes and convolutions for blocks of threads, as loops of this machine, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram

PIPELINE = "hologram-to-cpu-simt"
SMALL = "schedule = {rows = 16 : i64, columns = 16 : i64, depth = 4 : i64, lane_rows = 2 : i64, lane_columns = 4 : i64}"
"""Tiles of which small matrices have several, and which this machine compiles fast."""
SIZES = ((1, 1, 1), (17, 33, 5), (16, 16, 4), (40, 7, 19))


def _gemm(element: str, attributes: str = "", rank: int = 2, extra: str = "") -> str:
    kind = f"memref<{'?x' * rank}{element}>"
    ins = f"%a, %b{', %d' if extra else ''} : {kind}, {kind}{f', {kind}' if extra else ''}"
    more = f", %d: {kind}" if extra else ""
    return f"""
func.func @product(%a: {kind}, %b: {kind}{more}, %c: {kind}) {{
  atlas.gemm ins({ins}) outs(%c : {kind}) {{{attributes}{SMALL}}}
  func.return
}}
"""


def _random(shape: tuple[int, ...], dtype: Any) -> Any:
    values = np.random.default_rng([7, *shape]).integers(-9, 9, shape)
    return values.astype(dtype)


@pytest.mark.parametrize(
    ("element", "dtype"), [("f32", np.float32), ("f16", np.float16), ("i8", np.int8), ("i64", np.int64)]
)
def test_types(element: str, dtype: Any):
    kernel = hologram.compile(_gemm(element), pipeline=PIPELINE)
    for m, n, k in SIZES:
        a, b, c = _random((m, k), dtype), _random((k, n), dtype), np.zeros((m, n), dtype)
        kernel(a, b, c)
        # Small whole numbers: every order of the sum is exact.
        assert np.array_equal(c, a @ b)


@pytest.mark.parametrize("flips", [(0, 1), (1, 0), (1, 1)])
def test_transposes(flips: tuple[int, int]):
    text = _gemm("f32", f"trans_a = {flips[0]} : i1, trans_b = {flips[1]} : i1, alpha = 2.0 : f64, ")
    kernel = hologram.compile(text, pipeline=PIPELINE)
    for m, n, k in SIZES:
        a, b = _random((m, k), np.float32), _random((k, n), np.float32)
        given = [np.ascontiguousarray(x.T) if flip else x for x, flip in zip((a, b), flips, strict=True)]
        c = np.zeros((m, n), np.float32)
        kernel(*given, c)
        assert np.array_equal(c, 2 * (a @ b))


def test_sum_with_a_third_array():
    kernel = hologram.compile(_gemm("f32", "beta = 3.0 : f64, ", extra="d"), pipeline=PIPELINE)
    for m, n, k in (*SIZES, (3, 5, 0), (0, 4, 2)):
        a, b, d = _random((m, k), np.float32), _random((k, n), np.float32), _random((m, n), np.float32)
        c = np.full((m, n), np.nan, np.float32)
        kernel(a, b, d, c)
        assert np.array_equal(c, a @ b + 3 * d)


def test_batches():
    kernel = hologram.compile(_gemm("f32", rank=4), pipeline=PIPELINE)
    for batch in ((2, 3), (1, 1), (0, 2)):
        a, b = _random((*batch, 9, 5), np.float32), _random((*batch, 5, 18), np.float32)
        c = np.zeros((*batch, 9, 18), np.float32)
        kernel(a, b, c)
        assert np.array_equal(c, a @ b)


def test_what_is_not_finite():
    kernel = hologram.compile(_gemm("f32"), pipeline=PIPELINE)
    a = np.array([[np.inf, 1], [np.nan, 0], [3e38, 0]], np.float32)
    b = np.array([[1, -1], [1, 1]], np.float32) * 2
    c = np.zeros((3, 2), np.float32)
    kernel(a, b, c)
    with np.errstate(all="ignore"):
        expected = a @ b
    assert np.array_equal(c, expected, equal_nan=True)


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_transposed_maps(dtype: Any):
    element = {np.float32: "f32", np.int8: "i8"}[dtype]
    kind = f"memref<?x?x?x{element}>"
    text = f"""
func.func @turned(%x: {kind}, %y: {kind}, %z: {kind}) {{
  atlas.map ins(%x, %y : {kind}, {kind}) outs(%z : {kind})
    maps [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
          affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {{
  ^bb0(%a: {element}, %b: {element}):
    %s = atlas.add {element} %a, %b
    atlas.yield %s : {element}
  }}
  func.return
}}
"""
    kernel = hologram.compile(text, pipeline=PIPELINE)
    for shape in ((1, 1, 1), (2, 33, 70), (3, 64, 32), (0, 3, 4)):
        x, y = _random((shape[2], *shape[:2]), dtype), _random(shape, dtype)
        z = np.zeros(shape, dtype)
        kernel(x, y, z)
        assert np.array_equal(z, x.transpose(1, 2, 0) + y)
