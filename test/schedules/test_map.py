"""Maps, transposes, softmax, gemm and gather against numpy: ranks, broadcasts, odd sizes, empty arrays, wrong sizes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.errors import TrapError

Array = np.ndarray[Any, np.dtype[Any]]
F32 = np.dtype(np.float32)


def memref(rank: int, type: str = "f32") -> str:
    return f"memref<{'?x' * rank}{type}>"


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.parametrize("rank", [0, 1, 2, 3, 4])
def test_any_rank(rank: int) -> None:
    m = memref(rank)
    text = f"""
func.func @main(%a: {m}, %b: {m}) {{
  atlas.parallel_map_binary mul f32 ins(%a, %a : {m}, {m}) outs(%b : {m})
  func.return
}}"""
    kernel = hologram.compile(text)
    for size in (0, 1, 3, 8):
        a = rng().normal(size=[size] * rank).astype(F32)
        b = np.full_like(a, 7)
        kernel(a, b)
        np.testing.assert_array_equal(b, a * a)


def test_a_long_line_takes_several_chunks() -> None:
    text = """
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.parallel_map neg f32 ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  func.return
}"""
    kernel = hologram.compile(text)
    for size in (32767, 32768, 32769, 100_000):
        a = rng().normal(size=size).astype(F32)
        b = np.zeros_like(a)
        kernel(a, b)
        np.testing.assert_array_equal(b, -a)


Widen = Callable[[Array], Array]
BROADCASTS: dict[str, tuple[int, str, Callable[[int, int], tuple[int, ...]], Widen]] = {
    "row": (1, "(d1)", lambda n, m: (m,), lambda v: v[None, :]),
    "column": (1, "(d0)", lambda n, m: (n,), lambda v: v[:, None]),
    "transposed": (2, "(d1, d0)", lambda n, m: (m, n), lambda v: v.T),
    "one row": (2, "(0, d1)", lambda n, m: (1, m), lambda v: v),
    "single": (0, "()", lambda n, m: (), lambda v: v),
    "prefix": (2, "(d0 floordiv 1, d1)", lambda n, m: (n + 3, m), lambda v: v[:-3]),
    "shifted": (
        2, "(d0 + 2, d1 floordiv 2)", lambda n, m: (n + 2, m), lambda v: np.repeat(v[2:], 2, 1)[:, : v.shape[1]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROADCASTS)
def test_broadcasts(name: str) -> None:
    rank, exprs, shape, widened = BROADCASTS[name]
    v = memref(rank)
    text = f"""
func.func @main(%a: memref<?x?xf32>, %v: {v}, %k: f32, %b: memref<?x?xf32>) {{
  atlas.map ins(%a, %v, %k : memref<?x?xf32>, {v}, f32) outs(%b : memref<?x?xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> {exprs}>, affine_map<(d0, d1) -> ()>,
          affine_map<(d0, d1) -> (d0, d1)>] {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = atlas.fma f32 %x, %z, %y
    atlas.yield %s : f32
  }}
  func.return
}}"""
    kernel = hologram.compile(text)
    for n, m in ((0, 3), (3, 0), (1, 1), (5, 70), (70, 5), (33, 65)):
        a, values = rng().normal(size=(n, m)).astype(F32), rng().normal(size=shape(n, m)).astype(F32)
        b = np.zeros_like(a)
        kernel(a, values, 2.0, b)
        np.testing.assert_array_equal(b, a * F32.type(2) + widened(values), err_msg=f"{n} {m}")


def test_several_outs_and_in_place() -> None:
    text = """
func.func @main(%a: memref<?x?xf32>, %t: memref<?x?xi32>) {
  atlas.map ins(%a : memref<?x?xf32>) outs(%a, %t : memref<?x?xf32>, memref<?x?xi32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] {
  ^bb0(%x: f32):
    %y = atlas.add f32 %x, %x
    %i = atlas.cvt f32 to i32 %x
    atlas.yield %y, %i : f32, i32
  }
  func.return
}"""
    a = np.arange(35, dtype=F32).reshape(5, 7)
    before, t = a.copy(), np.zeros((7, 5), np.int32)
    hologram.compile(text)(a, t)
    np.testing.assert_array_equal(a, before * 2)
    np.testing.assert_array_equal(t, before.T)


@pytest.mark.parametrize("axes", [*permutations(range(2)), *permutations(range(3))])
def test_transposes(axes: tuple[int, ...]) -> None:
    m = memref(len(axes), "i8")
    text = f"""
func.func @main(%a: {m}, %b: {m}) {{
  atlas.transpose ins(%a : {m}) outs(%b : {m}) {{permutation = [{", ".join(f"{a} : i64" for a in axes)}]}}
  func.return
}}"""
    kernel = hologram.compile(text)
    for shape in ((0, 3, 2), (1, 1, 1), (31, 33, 5), (2, 64, 40)):
        a = rng().integers(-128, 128, shape[: len(axes)], np.int8)
        b = np.zeros(a.transpose(axes).shape, np.int8)
        kernel(a, b)
        np.testing.assert_array_equal(b, a.transpose(axes))


SIZES = """
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %v: memref<?xf32>) {
  atlas.parallel_map neg f32 ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  atlas.map ins(%v : memref<?xf32>) outs(%b : memref<?x?xf32>)
    maps [affine_map<(d0, d1) -> (d1 + 1)>, affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}"""


def test_sizes_that_differ_trap_before_anything_is_touched() -> None:
    kernel = hologram.compile(SIZES)
    a = np.ones((4, 5), F32)
    kernel(a, a.copy(), np.zeros(6, F32))
    b = np.zeros((3, 5), F32)
    with pytest.raises(TrapError, match="axis 0 of out 0 must have the size of axis 0 of in 0 .values 3, 4"):
        kernel(a, b, np.zeros(6, F32))
    assert not b.any()
    with pytest.raises(TrapError, match="the indices along axis 0 of in 0 must lie inside of it .values 5, 5"):
        kernel(a, a.copy(), np.zeros(5, F32))
    empty = np.ones((0, 5), F32)
    kernel(empty, empty.copy(), np.zeros(0, F32))


# Softmax


def softmax(x: Array, axis: int) -> Array:
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis, keepdims=True, initial=-np.inf))
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_softmax(type: str, axis: int) -> None:
    m = memref(3, type)
    text = f"""
func.func @main(%a: {m}, %b: {m}) {{
  atlas.softmax ins(%a : {m}) outs(%b : {m}) {{axis = {axis} : i64}}
  func.return
}}"""
    kernel = hologram.compile(text)
    numpy = np.dtype(f"f{int(type[1:]) // 8}")
    for shape in ((2, 3, 4), (1, 1, 1), (3, 130, 2), (2, 3, 300), (140, 2, 33), (0, 2, 3), (2, 0, 3), (2, 3, 0)):
        a = (rng().normal(size=shape) * 5).astype(numpy)
        b = np.full_like(a, 9)
        kernel(a, b)
        np.testing.assert_allclose(
            b, softmax(a, axis), rtol=(4 if type == "f16" else 30) * np.finfo(numpy).eps, atol=np.finfo(numpy).tiny
        )


def test_softmax_of_nan_and_infinities() -> None:
    text = """
func.func @main(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  atlas.softmax ins(%a : memref<?x4xf32>) outs(%b : memref<?x4xf32>) {axis = 1 : i64}
  func.return
}"""
    inf = np.inf
    # As written: exp(inf - inf) is NaN, and so is a sum with it.
    a = np.array([[0, np.nan, 1, 2], [0, -inf, 0, 0], [-inf] * 4, [inf, 0, 0, 0]], F32)
    b = np.zeros_like(a)
    hologram.compile(text)(a, b)
    assert np.isnan(b[[0, 2, 3]]).all()
    np.testing.assert_array_equal(b[1], np.array([1 / 3, 0, 1 / 3, 1 / 3], F32))


# Gemm


FLIPS = ((0, 0), (0, 1), (1, 0), (1, 1))


@pytest.mark.parametrize(
    ("type", "flips"), [*(("f32", f) for f in FLIPS), ("f16", (0, 1)), ("f64", (1, 0)), ("i32", (1, 1))]
)
def test_gemm(type: str, flips: tuple[int, int]) -> None:
    m = memref(3, type)
    text = f"""
func.func @main(%a: {m}, %b: {m}, %c: {m}, %r: {m}) {{
  atlas.gemm ins(%a, %b, %c : {m}, {m}, {m}) outs(%r : {m})
    {{alpha = 2.0 : f64, beta = 3.0 : f64, trans_a = {flips[0]} : i64, trans_b = {flips[1]} : i64}}
  func.return
}}"""
    kernel = hologram.compile(text)
    numpy = np.dtype({"f": "f", "i": "i"}[type[0]] + str(int(type[1:]) // 8))
    for rows, columns, depth in ((1, 1, 1), (0, 3, 2), (3, 0, 2), (2, 3, 0), (3, 40, 17), (4, 16, 3), (9, 35, 70)):
        a, b, c = (
            (rng().normal(size=(2, *shape)) * 4).astype(numpy)
            for shape in ((rows, depth), (depth, columns), (rows, columns))
        )
        r = np.full_like(c, 9)
        stored = [np.ascontiguousarray(v.swapaxes(1, 2)) if flip else v for v, flip in zip((a, b), flips, strict=True)]
        kernel(*stored, c, r)
        want = 2 * (a.astype(np.float64) @ b.astype(np.float64)) + 3 * c.astype(np.float64)
        if type == "i32":
            np.testing.assert_array_equal(r, want)
        else:
            scale = 2 * np.abs(a.astype(float)) @ np.abs(b.astype(float)) + 3 * np.abs(c.astype(float))
            eps = float(np.finfo(numpy).eps)
            assert (
                np.abs(r - want) <= (4 * eps * scale if type != "f16" else eps * (np.abs(want) + 1e-3 * scale) * 2)
            ).all()


def test_static_gemm_of_one_row() -> None:
    text = """
func.func @main(%a: memref<1x50xf32>, %b: memref<50x1030xf32>, %r: memref<1x1030xf32>) {
  atlas.gemm ins(%a, %b : memref<1x50xf32>, memref<50x1030xf32>) outs(%r : memref<1x1030xf32>)
  func.return
}"""
    a, b = rng().normal(size=(1, 50)).astype(F32), rng().normal(size=(50, 1030)).astype(F32)
    r = np.zeros((1, 1030), F32)
    hologram.compile(text)(a, b, r)
    np.testing.assert_allclose(r, a @ b, rtol=1e-4, atol=1e-5)


# Gather


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_gather(axis: int, rank: int) -> None:
    indices, out = memref(rank, "i32"), memref(2 + rank)
    text = f"""
func.func @main(%x: memref<?x?x?xf32>, %i: {indices}, %o: {out}) {{
  atlas.gather ins(%x, %i : memref<?x?x?xf32>, {indices}) outs(%o : {out}) {{axis = {axis} : i64}}
  func.return
}}"""
    kernel = hologram.compile(text)
    x = rng().normal(size=(4, 5, 6)).astype(F32)
    for size in (0, 1, 3):
        i = rng().integers(0, x.shape[axis], [size] * rank).astype(np.int32)
        want = np.take(x, i, axis)
        o = np.zeros(want.shape, F32)
        kernel(x, i, o)
        np.testing.assert_array_equal(o, want)


@pytest.mark.parametrize("index", [-1, 4, -(2**31)])
def test_gather_out_of_range_traps_and_names_the_element(index: int) -> None:
    text = """
func.func @main(%x: memref<?x?xf32>, %i: memref<?xi32>, %o: memref<?x?xf32>) {
  atlas.gather ins(%x, %i : memref<?x?xf32>, memref<?xi32>) outs(%o : memref<?x?xf32>) {axis = 0 : i64}
  func.return
}"""
    x, o = np.ones((4, 2), F32), np.zeros((3, 2), F32)
    with pytest.raises(TrapError, match=rf"lane 2: atlas.gather: index out of range .values {index}, 4"):
        hologram.compile(text)(x, np.array([0, 3, index], np.int32), o)
    np.testing.assert_array_equal(o, [[1, 1], [1, 1], [0, 0]])


# Layouts

STRIDED = "memref<?x?xf32, strided<[?, ?]>>"
OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "atlas.parallel_map neg f32 ins(%a : T) outs(%r : T)": lambda a, b: -a,
    "atlas.transpose ins(%a : T) outs(%r : T) {permutation = [1 : i64, 0 : i64]}": lambda a, b: a.T,
    "atlas.gemm ins(%a, %b : T, T) outs(%r : T)": lambda a, b: a @ b,
    "atlas.softmax ins(%a : T) outs(%r : T) {axis = 0 : i64}": lambda a, b: softmax(a, 0),
    "atlas.softmax ins(%a : T) outs(%r : T) {axis = 1 : i64}": lambda a, b: softmax(a, 1),
}  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_strided_operands(operation: str) -> None:
    text = f"""
func.func @main(%a: T, %b: T, %r: T) {{
  {operation}
  func.return
}}""".replace("T", STRIDED)
    kernel = hologram.compile(text)
    wide = [np.asfortranarray(rng().normal(size=(80, 120)).astype(F32)) for _ in range(3)]
    a, b, r = (v[3:73:2, 5:110:3] for v in wide)
    untouched = wide[2].copy()
    kernel(a, b, r)
    np.testing.assert_allclose(r, OPERATIONS[operation](a, b), rtol=1e-5, atol=1e-5)
    untouched[3:73:2, 5:110:3] = r
    np.testing.assert_array_equal(wide[2], untouched)
