"""Softmax and layer norm as launches, to the bit: rows that are kept in shared memory, and rows that are not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.lowering.pipelines.pipelines import run_pipeline, stages_for
from schedules.device_forms import compiled, device_pipelines, same_bits

__all__ = ["device_pipelines"]
TARGETS = pytest.mark.parametrize("target", ["gpu", "cuda"])
SHAPES = ((0, 3), (3, 0), (1, 1), (5, 127), (3, 1028), (2, 4099), (2, 9000))


def drawn(*shape: int, dtype: Any = np.float32) -> Any:
    return (np.random.default_rng(5).standard_normal(shape) * 3).astype(dtype)


def softmax(type: str, rank: int = 2, axis: int = 1, sizes: str = "?x?") -> str:
    memref = f"memref<{sizes}x{type}>"
    return f"""
func.func @main(%x: {memref}, %y: {memref}) {{
  atlas.softmax ins(%x : {memref}) outs(%y : {memref}) {{axis = {axis} : i64}}
  func.return
}}"""


def norm(type: str, inner: int = 1, sizes: str = "?x?", schedule: str = "") -> str:
    x, weights = f"memref<{sizes}x{type}>", f"memref<{'x'.join(sizes.split('x')[-inner:])}x{type}>"
    return f"""
func.func @main(%x: {x}, %g: {weights}, %b: {weights}, %y: {x}) {{
  atlas.layer_norm ins(%x, %g, %b : {x}, {weights}, {weights}) outs(%y : {x}) {{eps = 1.0e-5 : f64{schedule}}}
  func.return
}}"""


def check(text: str, target: str, *arrays: Any) -> None:
    """Fills an array like the first as the CPU does, to the bit."""
    expected, found = np.full_like(arrays[0], 77), np.full_like(arrays[0], 77)
    hologram.compile(text)(*arrays, expected)
    compiled(text, target)(*arrays, found)
    assert same_bits(expected, found), arrays[0].shape


@pytest.mark.slow
@TARGETS
def test_softmax(target: str):
    for shape in SHAPES:
        x = drawn(*shape)
        if shape[1] > 100:
            x[1, 3], x[0, 7] = np.nan, -np.inf
        check(softmax("f32"), target, x)


@pytest.mark.slow
@TARGETS
def test_layer_norm(target: str):
    for shape in SHAPES:
        x = drawn(*shape)
        if shape[1] > 100:
            x[1, 3] = np.nan
        check(norm("f32"), target, x, drawn(shape[1]), drawn(1, shape[1])[0] - 1)


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize(("type", "dtype"), [("f16", np.float16), ("f64", np.float64)])
def test_types(target: str, type: str, dtype: Any):
    """Floats below 32 bits are computed in f32; of f64 half as many have room."""
    for shape in ((3, 260), (1, 5000)):
        check(softmax(type), target, drawn(*shape, dtype=dtype))
        check(
            norm(type), target, drawn(*shape, dtype=dtype), drawn(shape[1], dtype=dtype), drawn(shape[1], dtype=dtype)
        )


@pytest.mark.slow
@TARGETS
def test_other_axes_and_known_sizes(target: str):
    check(softmax("f32", 3, 1, "?x?x?"), target, drawn(2, 33, 5))
    check(softmax("f32", sizes="4x256"), target, drawn(4, 256))
    check(softmax("f32", sizes="2x10000"), target, drawn(2, 10_000))
    check(norm("f32", 2, "?x?x?"), target, drawn(3, 5, 44), drawn(5, 44), drawn(5, 44))


@TARGETS
def test_layer_norm_of_rows_that_are_held(target: str):
    """NaN and infinity stay in their row. Quotients of and by what is 0, tiny or huge are rounded right."""
    x = drawn(7, 1024)
    x[0, 5], x[1, 1023] = np.nan, np.inf
    x[2], x[3, ::2], x[4], x[5, 7] = 2.5, 1e-25, x[4] * np.float32(1e-28), 3e19
    x[6] *= np.float32(1e18)
    check(norm("f32", sizes="7x1024"), target, x, drawn(1024), drawn(1024))


@TARGETS
def test_softmax_of_rows_that_are_held(target: str):
    """NaN and infinity stay in their row; powers of what is far below the greatest are tiny, or nothing."""
    x = drawn(8, 1024)
    x[0, 5], x[1, 1023], x[2, ::3] = np.nan, np.inf, -np.inf
    x[3], x[4, 7], x[5], x[6] = -np.inf, 80, x[5] * 30, x[6] * np.float32(1e30)
    check(softmax("f32", sizes="8x1024"), target, x)
    check(softmax("f32", sizes="?x1024"), target, drawn(3 * 1024 + 1)[1:].reshape(3, 1024))
    apart = softmax("f32", sizes="?x1024").replace("x1024xf32", "x1024xf32, strided<[?, ?], offset: ?>")
    check(apart, target, drawn(6, 2049)[::2, 1::2])


@TARGETS
@pytest.mark.parametrize(("threads", "resident", "quotients"), [(128, 8, 8), (700, 1, 3)])
def test_layer_norm_with_other_parameters(target: str, threads: int, resident: int, quotients: int):
    given = {"threads": threads, "resident": resident, "quotients": quotients}
    schedule = f", schedule = {{{', '.join(f'{name} = {value} : i64' for name, value in given.items())}}}"
    check(norm("f32", schedule=schedule), target, drawn(3, 1024), drawn(1024), drawn(1024))


@TARGETS
def test_layer_norm_of_rows_that_are_no_vectors(target: str):
    """Rows that begin anywhere, and rows whose elements are apart."""
    x, gamma, beta = drawn(3 * 1024 + 1)[1:].reshape(3, 1024), drawn(1024), drawn(1024)
    check(norm("f32", sizes="?x1024"), target, x, gamma, beta)
    apart = norm("f32", sizes="?x1024").replace("x1024xf32", "x1024xf32, strided<[?, ?], offset: ?>")
    check(apart, target, drawn(6, 2049)[::2, 1::2], gamma, beta)


def test_layer_norm_of_cached_rows_moves_vectors():
    """16 bytes at a time of 32-bit floats: a row of 4096 is four of them a thread, as are its weights and what is
    stored. Shared memory gets the four, too."""
    module = parse_module(norm("f32", sizes="?x4096"), "norm.mlir", make_context())
    run_pipeline(module, make_context(), stages_for("cuda")[:5])
    held = next(op for op in module.walk() if op.name == "gpu.launch")
    names = [op.name for op in held.walk()]
    assert (names.count("vector.load"), names.count("vector.store")) == (4 + 2 * 4, 4 + 4)
    spaces = ["workgroup" in str(op.operands[0].type) for op in held.walk() if op.name == "memref.load"]
    assert len(spaces) == 2 * (4096 // 128 + 128 // 16 + 16)
    assert all(spaces)


@pytest.mark.slow
@TARGETS
def test_softmax_of_usual_lengths(target: str):
    for rows, length in ((0, 1024), (1, 2048), (2, 4096), (5, 4096)):
        check(softmax("f32"), target, drawn(rows, length))
    for type, dtype in (("f16", np.float16), ("bf16", ml_dtypes.bfloat16), ("f64", np.float64)):
        check(softmax(type, sizes="3x2048"), target, drawn(3, 2048, dtype=dtype))


@pytest.mark.slow
@TARGETS
def test_layer_norm_of_usual_lengths(target: str):
    for rows, length in ((0, 1024), (1, 2048), (2, 4096), (5, 4096)):
        check(norm("f32"), target, drawn(rows, length), drawn(length), drawn(length))
    for type, dtype in (("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        check(norm(type, sizes="3x2048"), target, *(drawn(*s, dtype=dtype) for s in ((3, 2048), (2048,), (2048,))))
    check(norm("f64", sizes="3x4096"), target, *(drawn(*s, dtype=np.float64) for s in ((3, 4096), (4096,), (4096,))))


@pytest.mark.slow
def test_layer_norm_of_a_few_rows():
    x, g, b = drawn(3, 200), drawn(200), drawn(200)
    check(norm("f32"), "cuda", x, g, b)
