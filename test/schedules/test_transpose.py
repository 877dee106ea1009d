"""Transposes: squares turned in registers, for all element types, register widths and odd sizes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.parser import Parser

import hologram
from hologram.dialects import make_context
from hologram.lowering.schedules.schedule_atlas import ScheduleAtlasPass

Array = np.ndarray[Any, np.dtype[Any]]

TYPES: dict[str, Any] = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i32": np.int32,
    "f32": np.float32, "i64": np.int64, "f64": np.float64,
}  # fmt: skip


def transpose(t: str) -> str:
    m = f"memref<?x?x{t}>"
    return f"""
func.func @main(%a: {m}, %b: {m}) {{
  atlas.map ins(%a : {m}) outs(%b : {m})
    maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] {{
  ^bb0(%x: {t}):
    atlas.yield %x : {t}
  }}
  func.return
}}"""


def values(t: str, shape: tuple[int, ...]) -> Array:
    numbers = np.arange(np.prod(shape)).reshape(shape) * 7 % 251
    return (numbers % 3 == 0) if t == "i1" else (numbers - 120).astype(TYPES[t])


SIZES = [(0, 5), (1, 1), (1, 70), (7, 9), (8, 8), (16, 33), (31, 16), (64, 64), (65, 130), (129, 257)]


@pytest.mark.parametrize("t", TYPES)
def test_all_types_and_sizes(t: str) -> None:
    kernel = hologram.compile(transpose(t))
    for shape in SIZES:
        a = values(t, shape)
        b = np.zeros(shape[::-1], a.dtype)
        kernel(a, b)
        assert (b == a.T).all(), shape


@pytest.mark.parametrize("vector_bytes", [16, 32, 64])
@pytest.mark.parametrize("t", ["i8", "f32", "f64"])
def test_every_width_of_registers(t: str, vector_bytes: int) -> None:
    module = Parser(make_context(), transpose(t)).parse_module()
    ScheduleAtlasPass(vector_bytes=vector_bytes).apply(make_context(), module)
    squares = {str(op.results[0].type) for op in module.walk() if op.name == "vector.shuffle"}
    size = np.dtype(TYPES[t]).itemsize
    assert squares == {f"vector<{min(8 if size >= 4 else 16, vector_bytes // size)}x{t}>"}
    kernel = hologram.compile(module)
    for shape in SIZES:
        a = values(t, shape)
        b = np.zeros(shape[::-1], a.dtype)
        kernel(a, b)
        assert (b == a.T).all(), shape


def test_batches_beside_other_operands() -> None:
    m = "memref<?x?x?xf32>"
    text = f"""
func.func @main(%a: {m}, %c: {m}, %v: memref<?xf32>, %b: {m}) {{
  atlas.map ins(%a, %c, %v : {m}, {m}, memref<?xf32>) outs(%b : {m})
    maps [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
          affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = atlas.mul f32 %x, %y
    %r = atlas.sub f32 %p, %z
    atlas.yield %r : f32
  }}
  func.return
}}"""
    kernel = hologram.compile(text)
    for shape in [(1, 3, 5), (3, 66, 20), (2, 64, 129)]:
        a, c = values("f32", shape), values("f32", (shape[0], shape[2], shape[1]))
        v = values("f32", (shape[2],))
        b = np.zeros_like(c)
        kernel(a, c, v, b)
        np.testing.assert_array_equal(b, a.transpose(0, 2, 1) * c - v[None, :, None])


@pytest.mark.parametrize("layout", ["strided<[?, 1]>", "strided<[?, ?]>"])
def test_parts_of_a_larger_array(layout: str) -> None:
    text = transpose("f32").replace("%a: memref<?x?xf32>", f"%a: memref<?x?xf32, {layout}>")
    kernel = hologram.compile(text.replace("ins(%a : memref<?x?xf32>", f"ins(%a : memref<?x?xf32, {layout}>"))
    wide = values("f32", (150, 180))
    for a in (wide[5:77, 3:100], wide[::3], wide[:, ::2], wide[::-1, ::-1])[: 2 if "1" in layout else 4]:
        b = np.zeros(a.shape[::-1], np.float32)
        kernel(a, b)
        assert (b == a.T).all()
