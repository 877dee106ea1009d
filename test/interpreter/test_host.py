"""Host functions: entries, arguments, calls, control flow, scalars of upstream's dialects, memrefs and tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects import func

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.runtime.interpreter import interpret
from interpreter.running import Array, fails, run


def scalar(body: str, arguments: str, result: str, *args: Any) -> Any:
    """A function of scalars; `%r` is its result."""
    text = f"func.func @f({arguments}) -> {result} {{\n{body}\nfunc.return %r : {result}\n}}"
    return run(text, *args)[0].item()


# Entries and arguments


def test_which_function_is_called():
    text = """
      func.func private @g() -> i32 { %c = arith.constant 1 : i32 func.return %c : i32 }
      func.func @f() -> i32 { %c = arith.constant 2 : i32 func.return %c : i32 }"""
    assert run(text)[0] == 2
    assert run(text, entry="g")[0] == 1
    main = text + "func.func @main() -> i32 { %c = arith.constant 3 : i32 func.return %c : i32 }"
    assert run(main)[0] == 3
    two = text + "func.func @h() -> i32 { %c = arith.constant 4 : i32 func.return %c : i32 }"
    fails("interpreter-entry", run, two)
    error = fails("interpreter-no-entry", run, two, entry="hh")
    assert error.hint == "did you mean 'h'?"
    fails("interpreter-declaration", run, "func.func private @f()", entry="f")


def test_arguments_are_checked():
    text = "func.func @f(%x: memref<?x4xf32>, %n: i8, %v: f32) { func.return }"
    x = np.zeros((2, 4), np.float32)
    assert run(text, x, 255, 1) == ()
    assert run(text, x, np.int8(-1), np.float32(1)) == ()
    fails("interpreter-argument-count", run, text, x)
    error = fails("interpreter-argument-dtype", run, text, x.astype(np.float64), 1, 1.0)
    assert "argument 0 (%x) of @f must hold f32, found an array of float64" in error.message
    fails("interpreter-argument-shape", run, text, x[:, :3], 1, 1.0)
    fails("interpreter-argument-shape", run, text, x[0], 1, 1.0)
    for value in (256, 1.5, "a", None):
        fails("interpreter-argument-scalar", run, text, x, value, 1.0)
    fails("interpreter-type", run, "func.func @f(%x: tuple<f32>) { func.return }", 1)


def test_unsigned_arrays_and_results():
    text = """
      func.func @f(%x: memref<?xi32>) -> (memref<?xi32> {hologram.type = "u32"}, i32) {
        %c = arith.constant 0 : index
        %v = memref.load %x[%c] : memref<?xi32>
        func.return %x, %v : memref<?xi32>, i32
      }"""
    x = np.array([2**32 - 1], np.uint32)
    array, value = run(text, x)
    assert array.dtype == np.uint32
    assert array is not x
    assert value.dtype == np.int32
    assert value == -1


def test_bf16_and_bool_scalars():
    text = "func.func @f(%x: bf16, %p: i1) -> (bf16, i1) { func.return %x, %p : bf16, i1 }"
    x, p = run(text, ml_dtypes.bfloat16(1.5), True)
    assert x.dtype == ml_dtypes.bfloat16
    assert float(x) == 1.5
    assert p.dtype == np.bool_
    assert run(text, 0.1, 0)[0].dtype == ml_dtypes.bfloat16


def test_wide_integers_are_limbs_outside():
    text = """
      func.func @f(%x: memref<?xi128>, %y: i128) -> i128 {
        %c = arith.constant 0 : index
        %v = memref.load %x[%c] : memref<?xi128>
        %s = arith.addi %v, %y : i128
        memref.store %s, %x[%c] : memref<?xi128>
        func.return %s : i128
      }"""
    x = np.array([[2**64 - 1, 0]], np.uint64)
    (result,) = run(text, x, 1)
    assert result.tolist() == [0, 1]
    assert x.tolist() == [[0, 1]]
    fails("interpreter-argument-limbs", run, text, np.zeros((1, 3), np.uint64), 1)
    assert run("func.func @f(%x: tensor<?xi128>) -> tensor<?xi128> { func.return %x : tensor<?xi128> }", x[:0])[
        0
    ].shape == (0, 2)


# Control flow


def test_calls_and_recursion():
    text = """
      func.func @factorial(%n: i64) -> i64 {
        %one = arith.constant 1 : i64
        %small = arith.cmpi sle, %n, %one : i64
        %r = scf.if %small -> (i64) {
          scf.yield %one : i64
        } else {
          %m = arith.subi %n, %one : i64
          %f = func.call @factorial(%m) : (i64) -> i64
          %p = arith.muli %n, %f : i64
          scf.yield %p : i64
        }
        func.return %r : i64
      }"""
    assert run(text, 10)[0] == math.factorial(10)


def test_calls_deeper_than_the_call_stack():
    text = "func.func @f() {\n func.call @f() : () -> ()\n func.return\n}"
    fails("trap-call-overflow", run, text)


def test_loops():
    text = """
      func.func @f(%n: index) -> (index, index, index) {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %two = arith.constant 2 : index
        %sum = scf.for %i = %zero to %n step %two iter_args(%s = %zero) -> (index) {
          %t = arith.addi %s, %i : index
          scf.yield %t : index
        }
        %w = scf.while (%x = %n) : (index) -> index {
          %more = arith.cmpi sgt, %x, %two : index
          scf.condition(%more) %x : index
        } do {
        ^bb0(%x: index):
          %half = arith.divsi %x, %two : index
          scf.yield %half : index
        }
        %p = "scf.parallel"(%zero, %zero, %n, %two, %one, %one, %zero) ({
        ^bb0(%i: index, %j: index):
          %ij = arith.muli %i, %j : index
          "scf.reduce"(%ij) ({
          ^bb1(%a: index, %b: index):
            %c = arith.addi %a, %b : index
            "scf.reduce.return"(%c) : (index) -> ()
          }) : (index) -> ()
        }) {operandSegmentSizes = array<i32: 2, 2, 2, 1>} : (index, index, index, index, index, index, index) -> index
        func.return %sum, %w, %p : index, index, index
      }"""
    assert [int(r) for r in run(text, 10)] == [20, 2, 45]


def test_switch_branches_and_assertions():
    switch = """
      %r = scf.index_switch %i -> i32
      case 3 { %c = arith.constant 30 : i32 scf.yield %c : i32 }
      case 5 { %c = arith.constant 50 : i32 scf.yield %c : i32 }
      default { %c = arith.constant 0 : i32 scf.yield %c : i32 }"""
    assert [scalar(switch, "%i: index", "i32", i) for i in (3, 5, 4)] == [30, 50, 0]
    blocks = """
      func.func @f(%n: i32) -> i32 {
        %zero = arith.constant 0 : i32
        cf.br ^loop(%n, %zero : i32, i32)
      ^loop(%i: i32, %s: i32):
        %done = arith.cmpi eq, %i, %zero : i32
        cf.cond_br %done, ^end(%s : i32), ^body
      ^body:
        %t = arith.addi %s, %i : i32
        %minus = arith.constant -1 : i32
        %j = arith.addi %i, %minus : i32
        cf.br ^loop(%j, %t : i32, i32)
      ^end(%r: i32):
        func.return %r : i32
      }"""
    assert run(blocks, 4)[0] == 10
    fails("trap-step-limit", run, blocks, -1, step_limit=1000)
    text = 'func.func @f(%p: i1) { cf.assert %p, "that holds" func.return }'
    run(text, True)
    assert "that holds" in fails("trap-assert", run, text, False).message


def test_atlas_assertions():
    text = """
      func.func @f(%x: tensor<?xi32>, %p: i1, %n: index) -> tensor<?xi32> {
        atlas.assert %p, "that holds" lane %n values(%n : index)
        %r = atlas.map ins(%x : tensor<?xi32>) outs(%x : tensor<?xi32>)
          maps [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] {
        ^bb0(%e: i32):
          %zero = atlas.mov_imm 0 : i32
          %q = atlas.setcc ge i32 %e, %zero
          atlas.assert %q, "not negative" values(%e : i32)
          atlas.yield %e : i32
        }
        func.return %r : tensor<?xi32>
      }"""
    x = np.array([3, -4], np.int32)
    assert run(text, x[:1], True, 5)[0].tolist() == [3]
    assert fails("trap-assert", run, text, x, False, 5).message == "'atlas.assert': that holds at element 5; %n = 5"
    assert "not negative; %e = -4" in fails("trap-assert", run, text, x, True, 5).message


def test_loop_steps_must_be_positive():
    text = """
      func.func @f(%n: index) {
        %c = arith.constant 0 : index
        scf.for %i = %c to %n step %c {
        }
        func.return
      }"""
    fails("interpreter-loop-step", run, text, 4)


def test_unknown_operations_are_named():
    error = fails("interpreter-operation", run, "func.func @f() {\n ub.unreachable\n}")
    assert "'ub.unreachable'" in error.message
    error = fails(
        "interpreter-operation", run, "func.func @f(%x: f32) {\n %y = math.sinh %x : f32\n func.return\n}", 1.0
    )
    assert error.where is not None
    assert error.where.line == 2


# Scalars of arith, math and index


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        ("addi", 127, 1, -128), ("subi", -128, 1, 127), ("muli", 100, 3, 44), ("divsi", -7, 2, -3),
        ("divui", -7, 2, 124),
        ("remsi", -7, 2, -1), ("remui", -7, 4, 1), ("floordivsi", -7, 2, -4), ("floordivsi", 7, 2, 3),
        ("floordivsi", -6, 2, -3), ("ceildivsi", 7, 2, 4), ("ceildivsi", -7, 2, -3), ("ceildivui", -7, 2, 125),
        ("minsi", -1, 1, -1), ("maxsi", -1, 1, 1), ("minui", -1, 1, 1), ("maxui", -1, 1, -1),
        ("andi", 12, 10, 8), ("ori", 12, 10, 14), ("xori", 12, 10, 6), ("shli", 3, 2, 12), ("shrsi", -8, 1, -4),
        ("shrui", -8, 1, 124),
    ],
)  # fmt: skip
def test_arith_on_integers(op: str, a: int, b: int, expected: int):
    assert scalar(f"%r = arith.{op} %a, %b : i8", "%a: i8, %b: i8", "i8", a, b) == expected


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("eq", 0),
        ("ne", 1),
        ("slt", 1),
        ("sle", 1),
        ("sgt", 0),
        ("sge", 0),
        ("ult", 0),
        ("ule", 0),
        ("ugt", 1),
        ("uge", 1),
    ],
)
def test_integer_predicates(predicate: str, expected: int):
    assert scalar(f"%r = arith.cmpi {predicate}, %a, %b : i32", "%a: i32, %b: i32", "i1", -1, 1) == bool(expected)
    text = f'%r = "index.cmp"(%a, %b) {{pred = #index<cmp_predicate {predicate}>}} : (index, index) -> i1'
    assert scalar(text, "%a: index, %b: index", "i1", -1, 1) == bool(expected)


FLOAT_PREDICATES = [
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
]


@pytest.mark.parametrize("number", range(16))
def test_float_predicates(number: int):
    name = FLOAT_PREDICATES[number]

    def expected(a: float, b: float) -> bool:
        unordered = math.isnan(a) or math.isnan(b)
        if name in ("false", "true"):
            return name == "true"
        if name in ("ord", "uno"):
            return unordered == (name == "uno")
        holds = {"eq": a == b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b, "ne": a != b}[name[1:]]
        return (holds or unordered) if name[0] == "u" else (holds and not unordered)

    for a in (1.0, 2.0, math.nan):
        for b in (1.0, 2.0, math.nan):
            found = scalar(f"%r = arith.cmpf {name}, %a, %b : f32", "%a: f32, %b: f32", "i1", a, b)
            assert found == expected(a, b), (name, a, b)


@pytest.mark.parametrize(
    ("op", "source", "target", "value", "expected"),
    [
        ("extsi", "i8", "i32", -1, -1), ("extsi", "i1", "i32", 1, -1), ("extui", "i8", "i32", -1, 255),
        ("extui", "i1", "i32", 1, 1), ("trunci", "i32", "i8", 300, 44), ("trunci", "i32", "i1", 2, False),
        ("trunci", "i32", "i1", 3, True), ("extf", "f16", "f32", 1.5, 1.5), ("truncf", "f64",
        "f32", 0.1, float(np.float32(0.1))),
        ("sitofp", "i8", "f32", -1, -1.0), ("uitofp", "i8", "f32", -1, 255.0), ("fptosi", "f32", "i8", -1.9, -1),
        ("fptoui", "f32", "i8", 200.5, -56), ("index_cast", "index", "i8", 300, 44), ("index_cast", "i8",
        "index", -1, -1),
        ("bitcast", "f32", "i32", 1.0, 0x3F800000), ("bitcast", "i32", "f32", 0x3F800000, 1.0),
    ],
)  # fmt: skip
def test_arith_conversions(op: str, source: str, target: str, value: Any, expected: Any):
    assert scalar(f"%r = arith.{op} %a : {source} to {target}", f"%a: {source}", target, value) == expected


def test_index_operations():
    rows = {
        "add": 9, "sub": 5, "mul": 14, "divs": 3, "divu": 3, "ceildivs": 4, "ceildivu": 4, "floordivs": 3, "rems": 1,
        "remu": 1, "maxs": 7, "maxu": 7, "mins": 2, "minu": 2, "shl": 28, "shrs": 1, "shru": 1, "and": 2, "or": 7,
        "xor": 5,
    }  # fmt: skip
    for op, expected in rows.items():
        assert scalar(f"%r = index.{op} %a, %b", "%a: index, %b: index", "index", 7, 2) == expected, op
    assert scalar("%r = index.castu %a : i8 to index", "%a: i8", "index", -1) == 255
    assert scalar("%r = index.casts %a : i8 to index", "%a: i8", "index", -1) == -1
    assert scalar('%r = "index.constant"() {value = 5 : index} : () -> index', "", "index") == 5
    assert scalar('%r = "index.bool.constant"() {value = true} : () -> i1', "", "i1") is True
    assert scalar('%r = "index.sizeof"() : () -> index', "", "index") == 64


def test_arith_and_math_on_floats():
    rows = {
        "arith.addf": 3.5, "arith.subf": 0.5, "arith.mulf": 3.0, "arith.divf": 4 / 3, "arith.minimumf": 1.5,
        "arith.maximumf": 2.0, "arith.minnumf": 1.5, "arith.maxnumf": 2.0, "math.powf": 2**1.5,
        "math.atan2": math.atan2(2, 1.5),
        "math.copysign": 2.0,
    }  # fmt: skip
    for op, expected in rows.items():
        assert math.isclose(scalar(f"%r = {op} %a, %b : f64", "%a: f64, %b: f64", "f64", 2.0, 1.5), expected), op
    unary: dict[str, Callable[[float], float]] = {
        "absf": abs, "ceil": math.ceil, "floor": math.floor, "roundeven": round, "trunc": math.trunc, "exp": math.exp,
        "exp2": math.exp2, "expm1": math.expm1, "log": math.log, "log2": math.log2, "log10": math.log10,
        "log1p": math.log1p,
        "sin": math.sin, "cos": math.cos, "tan": math.tan, "atan": math.atan, "tanh": math.tanh, "erf": math.erf,
        "sqrt": math.sqrt, "rsqrt": lambda x: 1 / math.sqrt(x),
    }  # fmt: skip
    for op, function in unary.items():
        assert math.isclose(scalar(f"%r = math.{op} %a : f64", "%a: f64", "f64", 1.7), function(1.7)), op
    assert scalar("%r = math.fma %a, %a, %a : f32", "%a: f32", "f32", 3.0) == 12
    assert scalar("%r = math.absi %a : i8", "%a: i8", "i8", -5) == 5
    assert scalar("%r = arith.negf %a : f32", "%a: f32", "f32", 3.0) == -3
    assert scalar("%r = arith.select %p, %a, %b : f32", "%p: i1, %a: f32, %b: f32", "f32", True, 1.0, 2.0) == 1


def test_atlas_scalars_on_the_host():
    body = """
      %c = atlas.mov_imm 3 : i32
      %d = atlas.div u32 %a, %c
      %p = atlas.setcc ltu i32 %d, %a
      %e = atlas.sel u32 %p, %d, %a
      %r = atlas.cvt u32 to f32 %e"""
    assert scalar(body, "%a: i32", "f32", 2**32 - 1) == 1431655808  # 0x55555555 rounded
    error = fails("trap-division", scalar, "%r = atlas.div i32 %a, %b", "%a: i32, %b: i32", "i32", 1, 0)
    assert error.message == "'atlas.div': integer division by zero; a = 1, b = 0"
    error = fails("trap-division", scalar, "%r = arith.remsi %x, %y : i32", "%x: i32, %y: i32", "i32", 1, 0)
    assert "%x = 1, %y = 0" in error.message


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
