"""Host functions: entries, arguments, calls, control flow, scalars of upstream's dialects, memrefs and tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms.analysis.verifier import verify_module
from interpreter.running import fails, run


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
    two = text + "func.func @half() -> i32 { %c = arith.constant 4 : i32 func.return %c : i32 }"
    fails("interpreter-entry", run, two)
    error = fails("interpreter-no-entry", run, two, entry="halff")
    assert error.hint == "did you mean 'half'?"
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


def test_loops_without_sign():
    def trips(type: str, start: int, stop: int, step: int) -> tuple[int, int]:
        text = f"""
func.func @f(%a: {type}, %b: {type}, %s: {type}, %one: i64, %zero: i64) -> (i64, {type}) {{
  %n:2 = scf.for unsigned %i = %a to %b step %s iter_args(%k = %zero, %last = %a) -> (i64, {type}) : {type} {{
    %m = arith.addi %k, %one : i64
    scf.yield %m, %i : i64, {type}
  }}
  func.return %n#0, %n#1 : i64, {type}
}}"""
        module = parse_module(text, "test.mlir", make_context())
        verify_module(module)
        count, last = interpret(module, None, (start, stop, step, 1, 0), step_limit=100_000)
        return count.item(), last.item()

    assert trips("i8", 0, -1, 1) == (255, -2)
    assert trips("i8", 120, -120, 4) == (4, -124)
    assert trips("i8", -1, 0, 1) == (0, -1)
    assert trips("i32", -5, -1, 2) == (2, -3)
    assert trips("index", 3, 10, 4) == (2, 7)
