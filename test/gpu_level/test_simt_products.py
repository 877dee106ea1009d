"""Products, transposes and convolutions for blocks of threads, as loops of this machine, against numpy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram

PIPELINE = "hologram-to-cpu-simt"
SMALL = "schedule = {rows = 8 : i64, columns = 8 : i64, depth = 4 : i64, lane_rows = 2 : i64, lane_columns = 2 : i64}"
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


@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), ("i8", np.int8), ("i64", np.int64)])
def test_types(element: str, dtype: Any):
    kernel = hologram.compile(_gemm(element), pipeline=PIPELINE, opt_level=0)
    for m, n, k in SIZES:
        a, b, c = _random((m, k), dtype), _random((k, n), dtype), np.zeros((m, n), dtype)
        kernel(a, b, c)
        # Small whole numbers: every order of the sum is exact.
        assert np.array_equal(c, a @ b)


@pytest.mark.slow
@pytest.mark.parametrize("flips", [(0, 1), (1, 0)])
def test_transposes(flips: tuple[int, int]):
    text = _gemm("f32", f"trans_a = {flips[0]} : i1, trans_b = {flips[1]} : i1, alpha = 2.0 : f64, ")
    kernel = hologram.compile(text, pipeline=PIPELINE, opt_level=0)
    for m, n, k in SIZES:
        a, b = _random((m, k), np.float32), _random((k, n), np.float32)
        given = [np.ascontiguousarray(x.T) if flip else x for x, flip in zip((a, b), flips, strict=True)]
        c = np.zeros((m, n), np.float32)
        kernel(*given, c)
        assert np.array_equal(c, 2 * (a @ b))


def test_sum_with_a_third_array():
    kernel = hologram.compile(_gemm("f32", "beta = 3.0 : f64, ", extra="d"), pipeline=PIPELINE, opt_level=0)
    for m, n, k in (*SIZES, (3, 5, 0), (0, 4, 2)):
        a, b, d = _random((m, k), np.float32), _random((k, n), np.float32), _random((m, n), np.float32)
        c = np.full((m, n), np.nan, np.float32)
        kernel(a, b, d, c)
        assert np.array_equal(c, a @ b + 3 * d)


@pytest.mark.slow
def test_batches():
    kernel = hologram.compile(_gemm("f32", rank=4), pipeline=PIPELINE, opt_level=0)
    for batch in ((2, 3), (1, 1), (0, 2)):
        a, b = _random((*batch, 9, 5), np.float32), _random((*batch, 5, 18), np.float32)
        c = np.zeros((*batch, 9, 18), np.float32)
        kernel(a, b, c)
        assert np.array_equal(c, a @ b)


def test_what_is_not_finite():
    kernel = hologram.compile(_gemm("f32"), pipeline=PIPELINE, opt_level=0)
    a = np.array([[np.inf, 1], [np.nan, 0], [3e38, 0]], np.float32)
    b = np.array([[1, -1], [1, 1]], np.float32) * 2
    c = np.zeros((3, 2), np.float32)
    kernel(a, b, c)
    with np.errstate(all="ignore"):
        expected = a @ b
    assert np.array_equal(c, expected, equal_nan=True)


@pytest.mark.slow
def test_transposed_maps():
    element, dtype = "i8", np.int8
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
    kernel = hologram.compile(text, pipeline=PIPELINE, opt_level=0)
    for shape in ((1, 1, 1), (2, 33, 70), (3, 64, 32), (0, 3, 4)):
        x, y = _random((shape[2], *shape[:2]), dtype), _random(shape, dtype)
        z = np.zeros(shape, dtype)
        kernel(x, y, z)
        assert np.array_equal(z, x.transpose(1, 2, 0) + y)


def _convolution(element: str, attributes: str, bias: bool) -> str:
    image, line = f"memref<?x?x?x?x{element}>", f"memref<?x{element}>"
    more, given = (
        (f", %v: {line}", f"%x, %w, %v : {image}, {image}, {line}") if bias else ("", f"%x, %w : {image}, {image}")
    )
    return f"""
func.func @convolution(%x: {image}, %w: {image}{more}, %y: {image}) {{
  atlas.conv2d ins({given}) outs(%y : {image}) {{{attributes}{SMALL}}}
  func.return
}}
"""


def _convolved(
    x: Any, w: Any, steps: tuple[int, int], spread: tuple[int, int], pads: tuple[int, ...], groups: int
) -> Any:
    top, left, bottom, right = pads
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    height, width = ((x.shape[n + 2] - spread[n] * (w.shape[n + 2] - 1) - 1) // steps[n] + 1 for n in (0, 1))
    out = np.zeros((x.shape[0], w.shape[0], height, width), x.dtype)
    filters, depth = w.shape[0] // groups, w.shape[1]
    for o in range(w.shape[0]):
        part = x[:, o // filters * depth : (o // filters + 1) * depth]
        for i in range(height):
            for j in range(width):
                a, b = i * steps[0], j * steps[1]
                window = part[:, :, a :: spread[0], b :: spread[1]][:, :, : w.shape[2], : w.shape[3]]
                out[:, o, i, j] = (window * w[o]).sum(axis=(1, 2, 3))
    return out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("element", "dtype", "steps", "spread", "pads", "groups", "bias"),
    [
        ("f32", np.float32, (1, 1), (1, 1), (1, 1, 1, 1), 1, True),
        ("i16", np.int16, (2, 1), (1, 2), (0, 2, 1, 0), 2, False),
    ],
)
def test_convolutions(
    element: str,
    dtype: Any,
    steps: tuple[int, int],
    spread: tuple[int, int],
    pads: tuple[int, ...],
    groups: int,
    bias: bool,
):
    numbers = {"stride": steps, "dilation": spread, "padding": pads}
    lists = "".join(f"{name} = [{', '.join(f'{n} : i64' for n in values)}], " for name, values in numbers.items())
    kernel = hologram.compile(
        _convolution(element, f"{lists}groups = {groups} : i64, ", bias), pipeline=PIPELINE, opt_level=0
    )
    for images, depth, filters, size in ((2, 3, 4, (7, 9)), (1, 1, 18, (5, 6)), (0, 1, 2, (5, 6))):
        x = _random((images, depth * groups, *size), dtype)
        w, v = _random((filters, depth, 2, 3), dtype), _random((filters,), dtype)
        expected = _convolved(x, w, steps, spread, pads, groups)
        y = np.zeros(expected.shape, dtype)
        kernel(*([x, w, v, y] if bias else [x, w, y]))
        assert np.array_equal(y, expected + v[:, None, None] if bias else expected)


def test_a_convolution_of_the_wrong_size():
    kernel = hologram.compile(_convolution("f32", "", False), pipeline=PIPELINE, opt_level=0)
    x, w = np.zeros((1, 2, 5, 5), np.float32), np.zeros((3, 2, 2, 2), np.float32)
    with pytest.raises(hologram.HologramError, match="axis 2 of the out has another size"):
        kernel(x, w, np.zeros((1, 3, 5, 4), np.float32))


def test_mixed_precision():
    a, b, out = "f8E4M3FN", "f16", "bf16"
    names = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32}
    kinds = [f"memref<?x?x{t}>" for t in (a, b, "f32", out)]
    text = f"""
func.func @product(%a: {kinds[0]}, %b: {kinds[1]}, %d: {kinds[2]}, %c: {kinds[3]}) {{
  atlas.mixed_precision_gemm ins(%a, %b, %d : {", ".join(kinds[:3])}) outs(%c : {kinds[3]})
    {{trans_b = 1 : i64, beta = 2.0 : f64, {SMALL}}}
  func.return
}}
"""
    kernel = hologram.compile(text, pipeline=PIPELINE, opt_level=0)
    for m, n, k in (*SIZES, (3, 5, 0)):
        x, y = _random((m, k), np.float32), _random((n, k), np.float32)
        d = _random((m, n), np.float32)
        c = np.zeros((m, n), names[out])
        kernel(x.astype(names[a]), y.astype(names[b]), d, c)
        assert np.array_equal(c, (x @ y.T + 2 * d).astype(names[out]))
