"""Array level: map, reduce and the named forms, on tensors and memrefs."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hologram.interpreter.arrays as arrays
from interpreter.running import Array, fails, run


def function(arguments: str, body: str, results: str = "", returned: str = "") -> str:
    arrow = f" -> ({results})" if results else ""
    values = f" {returned} : {results}" if returned else ""
    return f"func.func @f({arguments}){arrow} {{\n{body}\nfunc.return{values}\n}}"


def f32(*shape: int) -> Array:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_map_with_broadcast_transposition_and_scalar():
    a, b = f32(3, 4), f32(4)
    body = """
      %r = atlas.map ins(%a, %b, %k : tensor<?x?xf32>, tensor<?xf32>, f32) outs(%o : tensor<?x?xf32>)
        maps [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>,
              affine_map<(i, j) -> (i, j)>] {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %t = atlas.mul f32 %x, %s
        %z = atlas.add f32 %t, %y
        atlas.yield %z : f32
      }"""
    text = function(
        "%a: tensor<?x?xf32>, %b: tensor<?xf32>, %k: f32, %o: tensor<?x?xf32>", body, "tensor<?x?xf32>", "%r"
    )
    (found,) = run(text, a, b, 2.0, np.zeros((4, 3), np.float32))
    assert np.array_equal(found, a.T * np.float32(2) + b[:, None])


def test_map_with_affine_indices_and_several_outs():
    x = f32(9)
    body = """
      atlas.map ins(%x, %x : memref<?xf32>, memref<?xf32>) outs(%a, %b : memref<4xf32>, memref<4xf32>)
        maps [affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i * 2 + 1)>,
              affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] {
      ^bb0(%even: f32, %odd: f32):
        atlas.yield %odd, %even : f32, f32
      }"""
    a, b = np.zeros(4, np.float32), np.zeros(4, np.float32)
    run(function("%x: memref<?xf32>, %a: memref<4xf32>, %b: memref<4xf32>", body), x, a, b)
    assert a.tolist() == x[1:8:2].tolist()
    assert b.tolist() == x[0:8:2].tolist()


def test_map_in_place_and_in_windows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(arrays, "WINDOW", 10)
    x = f32(13, 3)
    expected = x + x
    body = """
      atlas.map ins(%x : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
        maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>] {
      ^bb0(%e: f32):
        %s = atlas.add f32 %e, %e
        atlas.yield %s : f32
      }"""
    run(function("%x: memref<?x?xf32>", body), x)
    assert np.array_equal(x, expected)


def test_map_without_loops_and_over_nothing():
    scalar = """
      %r = atlas.map ins(%x : tensor<f32>) outs(%x : tensor<f32>) maps [affine_map<() -> ()>, affine_map<() -> ()>] {
      ^bb0(%e: f32):
        %s = atlas.neg f32 %e
        atlas.yield %s : f32
      }"""
    (found,) = run(function("%x: tensor<f32>", scalar, "tensor<f32>", "%r"), np.float32(3))
    assert found == -3
    divide = """
      %r = atlas.map ins(%x : tensor<?xi32>) outs(%x : tensor<?xi32>)
        maps [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] {
      ^bb0(%e: i32):
        %z = atlas.mov_imm 0 : i32
        %s = atlas.div i32 %e, %z
        atlas.yield %s : i32
      }"""
    text = function("%x: tensor<?xi32>", divide, "tensor<?xi32>", "%r")
    assert run(text, np.zeros(0, np.int32))[0].shape == (0,)
    error = fails("trap-division", run, text, np.array([4, 5], np.int32))
    assert "at (0)" in error.message
    assert "a = 4, b = 0" in error.message


def test_map_refuses_sizes_that_do_not_fit():
    body = """
      %r = atlas.map ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>)
        maps [affine_map<(i) -> (i)>, affine_map<(i) -> (MAP)>, affine_map<(i) -> (i)>] {
      ^bb0(%x: f32, %y: f32):
        %s = atlas.add f32 %x, %y
        atlas.yield %s : f32
      }"""
    for map, size in (("i", 4), ("i", 6), ("i", 0), ("i + 1", 5), ("i - 1", 5)):
        text = function("%a: tensor<?xf32>, %b: tensor<?xf32>", body.replace("MAP", map), "tensor<?xf32>", "%r")
        error = fails("interpreter-map-size", run, text, f32(5), f32(size))
        assert error.where is not None
        assert error.where.line == 3
    same = function("%a: tensor<?xf32>, %b: tensor<?xf32>", body.replace("MAP", "i"), "tensor<?xf32>", "%r")
    fails("interpreter-map-size", run, same, f32(0), f32(5))


def test_what_a_region_does_not_use_is_not_read():
    body = """
      %m = memref.alloc() : memref<3xf32>
      atlas.map ins(%m, %k : memref<3xf32>, f32) outs(%o : memref<3xf32>)
        maps [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>] {
      ^bb0(%x: f32, %y: f32):
        atlas.yield USED : f32
      }"""
    text = function("%o: memref<3xf32>, %k: f32", body)
    out = np.zeros(3, np.float32)
    run(text.replace("USED", "%y"), out, 7.0)
    assert out.tolist() == [7, 7, 7]
    fails("trap-uninitialised", run, text.replace("USED", "%x"), out, 7.0)


NORM = """
  atlas.reduce [add f32, max f32] ins(%x : memref<?x?xf16>) finish_ins(%g : memref<?xf32>)
    outs(%o, %p : memref<?xf32>, memref<?xf16>)
    maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
          affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>] {
  ^bb0(%e: f16):
    %w = atlas.cvt f16 to f32 %e
    %q = atlas.mul f32 %w, %w
    atlas.yield %q, %w : f32, f32
  } finish {
  ^bb1(%s: f32, %m: f32, %k: f32):
    %t = atlas.mul f32 %s, %k
    %h = atlas.cvt f32 to f16 %m
    atlas.yield %t, %h : f32, f16
  }"""


@pytest.mark.parametrize("window", [1 << 22, 8])
def test_reduce_with_several_kinds_and_a_finish(monkeypatch: pytest.MonkeyPatch, window: int):
    monkeypatch.setattr(arrays, "WINDOW", window)
    x, g = f32(5, 7).astype(np.float16), f32(5)
    o, p = np.zeros(5, np.float32), np.zeros(5, np.float16)
    arguments = "%x: memref<?x?xf16>, %g: memref<?xf32>, %o: memref<?xf32>, %p: memref<?xf16>"
    run(function(arguments, NORM), x, g, o, p)
    assert np.allclose(o, (x.astype(np.float32) ** 2).sum(1) * g, rtol=1e-6)
    assert p.tolist() == x.max(1).tolist()


REDUCE = """
  %r = atlas.reduce [KIND TYPE] ins(%x : tensor<?x?xELEMENT>) outs(%o : tensor<?xELEMENT>)
    maps [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>] {
  ^bb0(%e: ELEMENT):
    atlas.yield %e : ELEMENT
  }"""


def reduce(kind: str, type: str, x: Array) -> Array:
    element = "i" + type[1:] if type.startswith("u") else type
    body = REDUCE.replace("KIND", kind).replace("TYPE", type).replace("ELEMENT", element)
    text = function(f"%x: tensor<?x?x{element}>, %o: tensor<?x{element}>", body, f"tensor<?x{element}>", "%r")
    return run(text, x, np.zeros(x.shape[1], x.dtype))[0]


def test_reduce_kinds():
    x = np.array([[3, -1, 2], [-5, 4, 2]], np.int32)
    assert reduce("min", "i32", x).tolist() == [-5, -1, 2]
    assert reduce("max", "u32", x).tolist() == [-5, -1, 2]
    assert reduce("mul", "i32", x).tolist() == [-15, -4, 4]
    y = np.array([[1.0, np.nan], [2.0, 3.0]], np.float32)
    assert reduce("max", "f32", y).tolist() == [2, 3]
    assert np.isnan(reduce("max.nan", "f32", y)[1])
    assert reduce("add", "f32", np.zeros((0, 2), np.float32)).tolist() == [0, 0]
    assert reduce("add", "f32", np.zeros((2, 0), np.float32)).shape == (0,)
    z = np.full((300, 1), 0.01, ml_dtypes.bfloat16)
    assert float(reduce("add", "bf16", z)[0]) == float(np.float32(300 * float(z[0, 0])).astype(ml_dtypes.bfloat16))


# Named forms


def named(op: str, ins: str, out: str, *args: Array, tail: str = "") -> Array:
    """A named form in value form; `%i0`, `%i1`, ... are the ins and the last argument the out."""
    types = ins.split(", ") if ins else []
    arguments = ", ".join([*(f"%i{k}: {t}" for k, t in enumerate(types)), f"%o: {out}"])
    names = ", ".join(f"%i{k}" for k in range(len(types)))
    body = f"%r = atlas.{op} ins({names} : {ins}) outs(%o : {out}) {tail}"
    return run(function(arguments, body, out, "%r"), *args)[0]


def test_moves():
    x, out = f32(3, 4), np.zeros((3, 4), np.float32)
    assert np.array_equal(named("copy", "tensor<?x4xf32>", "tensor<?x4xf32>", x, out), x)
    turned = named(
        "transpose", "tensor<?x4xf32>", "tensor<4x?xf32>", x, out.T, tail="{permutation = [1 : i64, 0 : i64]}"
    )
    assert np.array_equal(turned, x.T)
    assert named("fill", "f32", "tensor<2x2xf32>", 3.0, np.zeros((2, 2), np.float32)).tolist() == [[3, 3], [3, 3]]  # type: ignore
    fails("interpreter-out-shape", named, "copy", "tensor<?xf32>", "tensor<?xf32>", f32(3), f32(4))


def test_parallel_maps():
    a, b = np.array([5, -7, 9], np.int32), np.array([2, 2, -4], np.int32)
    type = "tensor<?xi32>"
    assert named("parallel_map neg i32", type, type, a, a).tolist() == [-5, 7, -9]
    assert named("parallel_map_binary rem i32", f"{type}, {type}", type, a, b, a).tolist() == [1, -1, 1]
    zero = np.array([1, 0, 1], np.int32)
    error = fails("trap-division", named, "parallel_map_binary div i32", f"{type}, {type}", type, a, zero, a)
    assert "at (1)" in error.message
    fails("interpreter-map-shapes", named, "parallel_map_binary add i32", f"{type}, {type}", type, a, b[:2], a)


def test_gather():
    x, i = f32(4, 3), np.array([[2, 0], [3, 3]], np.int64)
    ins, tail = "tensor<?x3xf32>, tensor<?x2xi64>", "{axis = 0 : i64}"
    out = np.zeros((2, 2, 3), np.float32)
    assert np.array_equal(named("gather", ins, "tensor<?x2x3xf32>", x, i, out, tail=tail), x[i])
    for index in (4, -1):
        i[1, 0] = index
        error = fails("trap-gather-index", named, "gather", ins, "tensor<?x2x3xf32>", x, i, out, tail=tail)
        assert f"index {index} at (1, 0)" in error.message


def test_softmax_is_what_the_isa_writes():
    x = f32(2, 5)
    m = x.max(0)
    e = np.exp((x - m).astype(np.float64)).astype(np.float32)
    found = named("softmax", "tensor<?x?xf32>", "tensor<?x?xf32>", x, x, tail="{axis = 0 : i64}")
    assert np.array_equal(found, e / (e[0] + e[1]))
    short = x.astype(ml_dtypes.bfloat16)
    found = named("softmax", "tensor<?x?xbf16>", "tensor<?x?xbf16>", short, short, tail="{axis = 1 : i64}")
    wide = named("softmax", "tensor<?x?xf32>", "tensor<?x?xf32>", short.astype(np.float32), x, tail="{axis = 1 : i64}")
    assert found.tolist() == wide.astype(ml_dtypes.bfloat16).tolist()
    nan = np.array([[1, np.nan], [-np.inf, -np.inf]], np.float32)
    assert np.isnan(named("softmax", "tensor<?x?xf32>", "tensor<?x?xf32>", nan, nan, tail="{axis = 1 : i64}")).all()


def test_gemm():
    a, b, c = f32(2, 3, 4), f32(2, 5, 4), f32(2, 3, 5)
    type = "tensor<?x?x?xf32>"
    tail = "{alpha = 2.0 : f64, beta = -1.0 : f64, trans_b = 1 : i64}"
    found = named("gemm", f"{type}, {type}, {type}", type, a, b, c, np.zeros_like(c), tail=tail)
    assert np.allclose(found, 2 * a @ b.swapaxes(1, 2) - c, rtol=1e-6)
    fails("interpreter-product", named, "gemm", f"{type}, {type}", type, a, b, c)
    fails("interpreter-product", named, "gemm", f"{type}, {type}, {type}", type, a, b.swapaxes(1, 2), c[:, :2], c)
    x = np.full((2, 2), 100, np.int8)
    ints = "tensor<2x2xi8>"
    assert named("gemm", f"{ints}, {ints}", ints, x, x, x).tolist() == [[32, 32], [32, 32]]  # 20000 modulo 256
    tail = "{alpha = 3.0 : f64, beta = 2.0 : f64}"
    assert named("gemm", f"{ints}, {ints}, {ints}", ints, x, x, x, x, tail=tail).tolist() == [[40, 40], [40, 40]]
    wide = "tensor<1x1xi128>"
    y = np.array([[[1, 1]]], np.uint64)  # 1 + 2^64
    assert named("gemm", f"{wide}, {wide}", wide, y, y, y).tolist() == [[[1, 2]]]


def test_named_forms_on_memrefs():
    x, out = f32(3), np.zeros(3, np.float32)
    run(
        function("%x: memref<?xf32>, %o: memref<?xf32>", "atlas.copy ins(%x : memref<?xf32>) outs(%o : memref<?xf32>)"),
        x,
        out,
    )
    assert np.array_equal(out, x)
    out.flags.writeable = False
    text = function(
        "%x: memref<?xf32>, %o: memref<?xf32>", "atlas.copy ins(%x : memref<?xf32>) outs(%o : memref<?xf32>)"
    )
    fails("interpreter-read-only", run, text, x, out)
