"""Memrefs and tensors on the host, interpreted."""

from __future__ import annotations

import numpy as np
from xdsl.dialects import func

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from interpreter.running import Array, fails, run

# Memrefs and tensors


def test_memory():
    text = """
      func.func @f(%n: index, %v: f32) -> (f32, index) {
        %c1 = arith.constant 1 : index
        %m = memref.alloc(%n) : memref<?x2xf32>
        memref.store %v, %m[%c1, %c1] : memref<?x2xf32>
        %x = memref.load %m[%c1, %c1] : memref<?x2xf32>
        %d = memref.dim %m, %AXIS : memref<?x2xf32>
        %y = memref.load %m[%c1, %INDEX] : memref<?x2xf32>
        memref.dealloc %m : memref<?x2xf32>
        LATE
        func.return %x, %d : f32, index
      }""".replace(
        "        %m =", "        %c0 = arith.constant 0 : index\n        %c2 = arith.constant 2 : index\n        %m ="
    )

    def program(axis: str = "c0", index: str = "c1", late: str = "") -> str:
        return text.replace("AXIS", axis).replace("INDEX", index).replace("LATE", late)

    assert [r.item() for r in run(program(), 3, 1.5)] == [1.5, 3]
    assert "(1, 0)" in fails("trap-uninitialised", run, program(index="c0"), 3, 1.5).message
    assert "(1, 2)" in fails("trap-out-of-range", run, program(index="c2"), 3, 1.5).message
    fails("interpreter-dim", run, program(axis="c2"), 3, 1.5)
    fails("trap-uninitialised", run, program(late="%z = memref.load %m[%c1, %c1] : memref<?x2xf32>"), 3, 1.5)
    fails("interpreter-negative-size", run, program(), -1, 1.5)


def test_views_share_memory():
    text = """
      func.func @f(%m: memref<6x4xf32>, %o: index, %v: f32) {
        %c0 = arith.constant 0 : index
        %s = memref.subview %m[%o, 1] [2, 2] [2, 2] : memref<6x4xf32> to memref<2x2xf32, strided<[8, 2], offset: ?>>
        memref.store %v, %s[%c0, %c0] : memref<2x2xf32, strided<[8, 2], offset: ?>>
        %row = memref.subview %m[5, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: 20>>
        memref.store %v, %row[%c0] : memref<4xf32, strided<[1], offset: 20>>
        %flat = memref.collapse_shape %m [[0, 1]] : memref<6x4xf32> into memref<24xf32>
        memref.store %v, %flat[%c0] : memref<24xf32>
        %cast = "memref.cast"(%m) : (memref<6x4xf32>) -> memref<?x4xf32>
        memref.store %v, %cast[%c0, %o] : memref<?x4xf32>
        func.return
      }"""
    m = np.zeros((6, 4), np.float32)
    run(text, m, 2, 9.0)
    assert sorted(map(tuple, np.argwhere(m == 9).tolist())) == [(0, 0), (0, 2), (2, 1), (5, 0)]
    fails("interpreter-subview", run, text, m, 4, 9.0)
    static = (
        'func.func @f(%m: memref<?xf32>) {\n%c = "memref.cast"(%m) : (memref<?xf32>) -> memref<4xf32>\nfunc.return\n}'
    )
    run(static, np.zeros(4, np.float32))
    fails("interpreter-result-shape", run, static, np.zeros(5, np.float32))


def test_copies():
    text = """
      func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
        "memref.copy"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
        func.return
      }"""
    a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    run(text, a, b)
    assert np.array_equal(a, b)
    fails("interpreter-copy-shape", run, text, a, b[:2])


def test_globals_and_reinterpreted_memory():
    text = """
      "memref.global"() {sym_name = "table", sym_visibility = "private", constant, type = memref<2x3xi32>,
        initial_value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>} : () -> ()
      func.func @f(%v: i32, %s: index) -> (memref<?x2xi32>, i32) {
        %c1 = arith.constant 1 : index
        %t = "memref.get_global"() {name = @table} : () -> memref<2x3xi32>
        %view = "memref.reinterpret_cast"(%t, %s, %s)
          {static_offsets = array<i64: 1>, static_sizes = array<i64: -9223372036854775808, 2>,
           static_strides = array<i64: -9223372036854775808, 1>, operandSegmentSizes = array<i32: 1, 0, 1, 1>}
          : (memref<2x3xi32>, index, index) -> memref<?x2xi32>
        %x = memref.load %t[%c1, %c1] : memref<2x3xi32>
        STORE
        func.return %view, %x : memref<?x2xi32>, i32
      }"""
    view, x = run(text.replace("STORE", ""), 7, 2)
    assert view.tolist() == [[2, 3], [4, 5]]
    assert x == 5
    fails("interpreter-view", run, text.replace("STORE", ""), 7, 3)
    assert run(text.replace("STORE", ""), 7, 0)[0].shape == (0, 2)
    store = "memref.store %v, %t[%c1, %c1] : memref<2x3xi32>"
    fails("interpreter-read-only", run, text.replace("STORE", store), 7, 2)


def test_insertions():
    text = """
      func.func @f(%a: tensor<2x2xf32>, %o: index) -> tensor<5x4xf32> {
        %k = arith.constant dense<0.0> : tensor<5x4xf32>
        %r = "tensor.insert_slice"(%a, %k, %o)
          {static_offsets = array<i64: -9223372036854775808, 1>, static_sizes = array<i64: 2, 2>,
           static_strides = array<i64: 2, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
          : (tensor<2x2xf32>, tensor<5x4xf32>, index) -> tensor<5x4xf32>
        func.return %r : tensor<5x4xf32>
      }"""
    a = np.array([[1, 2], [3, 4]], np.float32)
    expected = np.zeros((5, 4), np.float32)
    expected[2::2, 1:3] = a
    assert np.array_equal(run(text, a, 2)[0], expected)
    fails("interpreter-insertion", run, text, a, 3)


def test_tensors_as_containers():
    text = """
      func.func @f(%n: index, %v: f32) -> (tensor<2xf32>, f32, tensor<?x3xf32>, index, tensor<6xf32>, tensor<?x?xf32>) {
        %c1 = arith.constant 1 : index
        %t = tensor.from_elements %v, %v : tensor<2xf32>
        %e = tensor.extract %t[%c1] : tensor<2xf32>
        %s = tensor.splat %v[%n] : tensor<?x3xf32>
        %d = tensor.dim %s, %c1 : tensor<?x3xf32>
        %k = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
        %flat = tensor.collapse_shape %k [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
        %cast = tensor.cast %k : tensor<2x3xf32> to tensor<?x?xf32>
        func.return %t, %e, %s, %d, %flat, %cast
          : tensor<2xf32>, f32, tensor<?x3xf32>, index, tensor<6xf32>, tensor<?x?xf32>
      }"""
    t, e, s, d, flat, cast = run(text, 2, 7.0)
    assert t.tolist() == [7, 7]
    assert e == 7
    assert s.tolist() == [[7, 7, 7]] * 2
    assert d == 3
    assert flat.tolist() == [1, 2, 3, 4, 5, 6]
    assert cast.shape == (2, 3)


def test_dynamic_collapse_and_choice_of_arrays():
    text = """
      func.func @f(%m: memref<?x2x?xf32>, %p: i1, %o: memref<?x?xf32>) -> memref<?x?xf32> {
        %flat = memref.collapse_shape %m [[0, 1], [2]] : memref<?x2x?xf32> into memref<?x?xf32>
        %r = arith.select %p, %flat, %o : memref<?x?xf32>
        func.return %r : memref<?x?xf32>
      }"""
    m, o = np.zeros((3, 2, 5), np.float32), np.zeros((1, 1), np.float32)
    assert run(text, m, True, o)[0].shape == (6, 5)
    assert run(text, m, False, o)[0].shape == (1, 1)


def test_empty_tensors_hold_nothing():
    text = """
      func.func @f(%n: index) -> tensor<?xf32> {
        %e = tensor.empty(%n) : tensor<?xf32>
        %r = hologram.neg %e : tensor<?xf32>
        func.return %r : tensor<?xf32>
      }"""
    fails("trap-uninitialised", run, text, 3)
    assert run(text, 0)[0].shape == (0,)


def test_missing_callee():
    module = parse_module("func.func @f() {\n func.call @g() : () -> ()\n func.return\n}", "test.mlir", make_context())
    fails("interpreter-callee", interpret, module, None, [])
    assert isinstance(next(iter(module.ops)), func.FuncOp)


def test_arrays_of_any_layout():
    base = np.arange(24, dtype=np.float32).reshape(4, 6)
    view: Array = base[::2, ::-2]
    text = """
      func.func @f(%x: memref<?x?xf32>) {
        atlas.copy ins(%x : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
        func.return
      }"""
    run(text, view)
    text = """
      func.func @f(%x: memref<?x?xf32>, %v: f32) {
        %c1 = arith.constant 1 : index
        memref.store %v, %x[%c1, %c1] : memref<?x?xf32>
        func.return
      }"""
    run(text, view, 100.0)
    assert base[2, 3] == 100
