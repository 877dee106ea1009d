"""Structured control flow, branches, assertions and calls against Python; in one walk and pass by pass."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_to_llvm.jit import LOWER, SINGLY, Compiled, records
from hologram.dialects import make_context
from hologram.dialects.mlir_printer import print_operation
from hologram.frontend.mlir import parse_module
from hologram.lowering import get_all_passes
from hologram.transforms.analysis.verifier import verify_module

PASSES = pytest.mark.parametrize("passes", [LOWER, SINGLY], ids=["merged", "singly"])
I64 = ctypes.c_int64

UNSIGNED = """
func.func @f(%a: i8, %b: i8, %s: i8) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = scf.for unsigned %i = %a to %b step %s iter_args(%k = %zero) -> i64 : i8 {
    %x = scf.execute_region -> i64 no_inline {
      %m = arith.addi %k, %one : i64
      scf.yield %m : i64
    }
    scf.yield %x : i64
  }
  func.return %n : i64
}"""


def test_loops_without_sign():
    module = parse_module(UNSIGNED, "test.mlir", make_context())
    verify_module(module)
    known = get_all_passes()
    known["convert-scf-to-cf"]()().apply(make_context(), module)
    compiled = Compiled(print_operation(module), ["convert-to-llvm"])
    counts = [compiled.call("f", *(ctypes.c_int8(n) for n in bounds), result=I64) for bounds in BOUNDS]
    assert counts == [255, 4, 0, 2]


BOUNDS = ((0, -1, 1), (120, -120, 4), (-1, 0, 1), (-5, -1, 2))


COLLATZ = """
func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %k : i64, i64
  } do {
  ^bb0(%x: i64, %k: i64):
    %low = arith.remui %x, %two : i64
    %even = arith.cmpi eq, %low, %zero : i64
    %y = scf.if %even -> (i64) {
      %half = arith.divui %x, %two : i64
      scf.yield %half : i64
    } else {
      %t = arith.muli %x, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    }
    %k1 = arith.addi %k, %one : i64
    scf.yield %y, %k1 : i64, i64
  }
  func.return %r#1 : i64
}"""


@PASSES
def test_while_and_if(passes: Sequence[str]):
    compiled = Compiled(COLLATZ, passes)
    for n, steps in ((1, 0), (2, 1), (6, 8), (27, 111)):
        assert compiled.call("f", n, result=I64) == steps


@PASSES
def test_for_with_several_carried_values(passes: Sequence[str]):
    text = """
func.func @fib(%n: index, %out: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i64, i64) {
    %z = arith.addi %x, %y : i64
    scf.yield %y, %z : i64, i64
  }
  memref.store %r#0, %out[%c0] : memref<1xi64>
  func.return
}"""
    compiled, out = Compiled(text, passes), np.zeros(1, np.int64)
    found: list[int] = []
    for n in (0, 1, 2, 10, 50):
        compiled.call("fib", out, n)
        found.append(int(out[0]))
    assert found == [0, 1, 1, 55, 12586269025]


SWITCH = """
func.func @f(%n: index) -> i64 {
  %r = scf.index_switch %n -> i64
  case 0 { %x = arith.constant 10 : i64 scf.yield %x : i64 }
  case 7 { %x = arith.constant 17 : i64 scf.yield %x : i64 }
  case -3 { %x = arith.constant 13 : i64 scf.yield %x : i64 }
  default { %x = arith.constant 99 : i64 scf.yield %x : i64 }
  func.return %r : i64
}"""


@PASSES
def test_index_switch(passes: Sequence[str]):
    """All 64 bits of the index count."""
    compiled = Compiled(SWITCH, passes)
    for n, wanted in ((0, 10), (7, 17), (-3, 13), (1, 99), (1 << 32, 99), ((1 << 32) + 7, 99)):
        assert compiled.call("f", n, result=I64) == wanted


@PASSES
def test_parallel_with_reductions(passes: Sequence[str]):
    text = """
func.func @f(%n: index, %m: index, %a: memref<?x?xi64>, %out: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %least = arith.constant -9223372036854775808 : i64
  %r:2 = "scf.parallel"(%c0, %c0, %n, %m, %c1, %c2, %zero, %least)
      <{operandSegmentSizes = array<i32: 2, 2, 2, 2>}> ({
  ^bb0(%i: index, %j: index):
    %x = memref.load %a[%i, %j] : memref<?x?xi64>
    "scf.reduce"(%x, %x) ({
    ^bb0(%l: i64, %r: i64):
      %s = arith.addi %l, %r : i64
      "scf.reduce.return"(%s) : (i64) -> ()
    }, {
    ^bb0(%l: i64, %r: i64):
      %s = arith.maxsi %l, %r : i64
      "scf.reduce.return"(%s) : (i64) -> ()
    }) : (i64, i64) -> ()
  }) : (index, index, index, index, index, index, i64, i64) -> (i64, i64)
  memref.store %r#0, %out[%c0] : memref<2xi64>
  memref.store %r#1, %out[%c1] : memref<2xi64>
  func.return
}"""
    a, out = np.random.default_rng(1).integers(-100, 100, (5, 7)), np.zeros(2, np.int64)
    Compiled(text, passes).call("f", a, out, 5, 7, 5, 7)
    assert out.tolist() == [a[:, ::2].sum(), a[:, ::2].max()]


@PASSES
def test_execute_region_with_blocks(passes: Sequence[str]):
    text = """
func.func @f(%c: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %neg = arith.cmpi slt, %c, %zero : i64
  %r = "scf.execute_region"() ({
    cf.cond_br %neg, ^bb1, ^bb2(%c : i64)
  ^bb1:
    %m = arith.subi %zero, %c : i64
    cf.br ^bb2(%m : i64)
  ^bb2(%x: i64):
    scf.yield %x : i64
  }) : () -> i64
  func.return %r : i64
}"""
    compiled = Compiled(text, passes)
    assert [compiled.call("f", n, result=I64) for n in (5, -5, 0)] == [5, 5, 0]


@PASSES
def test_switch_and_branches_with_operands(passes: Sequence[str]):
    text = """
func.func @f(%n: i32, %a: index, %b: index) -> index {
  cf.switch %n : i32, [
    default: ^bb1(%a : index),
    3: ^bb2(%a, %b : index, index),
    -1: ^bb1(%b : index)
  ]
^bb1(%x: index):
  func.return %x : index
^bb2(%y: index, %z: index):
  %s = arith.addi %y, %z : index
  cf.br ^bb1(%s : index)
}"""
    compiled = Compiled(text, passes)
    for n, wanted in ((3, 30), (-1, 20), (0, 10)):
        assert compiled.call("f", ctypes.c_int32(n), 10, 20, result=I64) == wanted


@PASSES
def test_blocks_out_of_dominance_order(passes: Sequence[str]):
    """A definition may stand after its use in the text; layout stays, conversion follows control."""
    text = """
func.func @f(%a: index) -> index {
  cf.br ^bb2
^bb1:
  %s = arith.addi %x, %x : index
  func.return %s : index
^bb2:
  %x = arith.muli %a, %a : index
  cf.br ^bb1
}"""
    assert Compiled(text, passes).call("f", 5, result=I64) == 50


@PASSES
def test_assertion_returns_early(passes: Sequence[str]):
    """The code before it has run, the code after it has not, and a result is zero."""
    text = """
func.func @f(%ok: i1, %out: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i64
  memref.store %x, %out[%c0] : memref<2xi64>
  cf.assert %ok, "no"
  memref.store %x, %out[%c1] : memref<2xi64>
  cf.assert %ok, "again"
  func.return
}
func.func @g(%ok: i1) -> i64 {
  cf.assert %ok, "no"
  %x = arith.constant 5 : i64
  func.return %x : i64
}"""
    compiled = Compiled(text, passes)
    for ok in (0, 1):
        out = np.zeros(2, np.int64)
        compiled.call("f", out, ctypes.c_int8(ok))
        assert out.tolist() == [5, 5 * ok]
        assert compiled.call("g", ctypes.c_int8(ok), result=I64) == 5 * ok


@PASSES
def test_a_trap_in_a_called_function_ends_its_callers(passes: Sequence[str]):
    text = """
func.func @main(%n: index, %out: memref<4xi64>, %trap: memref<8xi64> {hologram.trap}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = func.call @checked(%i, %trap) : (index, memref<8xi64>) -> i64
    memref.store %x, %out[%i] : memref<4xi64>
  }
  func.return
}
func.func private @checked(%i: index, %trap: memref<8xi64> {hologram.trap}) -> i64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %ok = arith.cmpi slt, %i, %c2 : index
  %true = arith.constant true
  %bad = arith.xori %ok, %true : i1
  scf.if %bad {
    %w = arith.constant 77 : i64
    memref.store %w, %trap[%c0] : memref<8xi64>
  }
  cf.assert %ok, "too far"
  %five = arith.constant 5 : i64
  func.return %five : i64
}"""
    compiled = Compiled(text, passes)
    for n, wanted, word in ((2, [5, 5, 9, 9], 0), (4, [5, 5, 9, 9], 77)):
        out, trap = np.full(4, 9, np.int64), np.zeros(8, np.int64)
        compiled.call("main", out, n, trap)
        assert (out.tolist(), trap[0]) == (wanted, word)


@PASSES
def test_calls(passes: Sequence[str]):
    """Several results, memrefs as arguments and results of private functions, calls of entries."""
    text = """
func.func @main(%n: index, %a: memref<?x4xf32>, %flag: i1, %out: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %row, %x = func.call @row(%a, %n) : (memref<?x4xf32>, index) -> (memref<4xf32, strided<[1], offset: ?>>, f32)
  %y = memref.load %row[%c2] : memref<4xf32, strided<[1], offset: ?>>
  memref.store %x, %out[%c0] : memref<3xf32>
  memref.store %y, %out[%c1] : memref<3xf32>
  func.call @set(%flag, %out, %c2) : (i1, memref<3xf32>, index) -> ()
  func.return
}
func.func private @row(%a: memref<?x4xf32>, %i: index) -> (memref<4xf32, strided<[1], offset: ?>>, f32) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %x = memref.load %v[%c1] : memref<4xf32, strided<[1], offset: ?>>
  func.return %v, %x : memref<4xf32, strided<[1], offset: ?>>, f32
}
func.func @set(%flag: i1, %m: memref<3xf32>, %at: index) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = arith.select %flag, %one, %two : f32
  memref.store %x, %m[%at] : memref<3xf32>
  func.return
}"""
    compiled = Compiled(text, passes)
    a, out = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros(3, np.float32)
    compiled.call("main", a, out, 3, 2, ctypes.c_int8(1))
    assert out.tolist() == [9, 10, 1]
    compiled.call("set", out, ctypes.c_int8(0), 0)
    assert out.tolist() == [2, 10, 1]
    assert [r["name"] for r in records(compiled.module)] == ["main", "set"]


@PASSES
def test_select_of_memrefs(passes: Sequence[str]):
    text = """
func.func @f(%c: i1, %a: memref<?xi32>, %b: memref<?xi32>, %out: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %m = arith.select %c, %a, %b : memref<?xi32>
  %d = memref.dim %m, %c0 : memref<?xi32>
  memref.store %d, %out[%c0] : memref<1xindex>
  func.return
}"""
    compiled, out = Compiled(text, passes), np.zeros(1, np.int64)
    a, b = np.zeros(3, np.int32), np.zeros(5, np.int32)
    for c, wanted in ((1, 3), (0, 5)):
        compiled.call("f", a, b, out, 3, 5, ctypes.c_int8(c))
        assert out[0] == wanted


# Random structured programs


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """A function of three integers in our dialects and the same in Python."""
    lines: list[str] = []
    python: list[str] = []
    counter = [0]

    def fresh() -> str:
        counter[0] += 1
        return f"v{counter[0]}"

    def expression(known: list[str], depth: int, pad: str) -> str:
        kind = draw(st.sampled_from(["op", "op", "if", "for", "switch"] if depth else ["op"]))
        name, left, right = fresh(), draw(st.sampled_from(known)), draw(st.sampled_from(known))
        if kind == "op":
            op, sign = draw(st.sampled_from([("addi", "+"), ("subi", "-"), ("muli", "*"), ("xori", "^")]))
            lines.append(f"{pad}%{name} = arith.{op} %{left}, %{right} : i64")
            python.append(f"{pad}{name} = wrap({left} {sign} {right})")
        elif kind == "if":
            lines.append(f"{pad}%{name}c = arith.cmpi slt, %{left}, %{right} : i64")
            lines.append(f"{pad}%{name} = scf.if %{name}c -> (i64) {{")
            python.append(f"{pad}if {left} < {right}:")
            branch(name, known, depth, pad)
            lines.append(f"{pad}}} else {{")
            python.append(f"{pad}else:")
            branch(name, known, depth, pad)
            lines.append(f"{pad}}}")
        elif kind == "for":
            count = draw(st.integers(0, 4))
            lines.append(f"{pad}%{name}n = arith.constant {count} : index")
            lines.append(
                f"{pad}%{name} = scf.for %{name}i = %c0 to %{name}n step %c1 iter_args(%{name}x = %{left}) -> (i64) {{"
            )
            python.append(f"{pad}{name} = {left}")
            python.append(f"{pad}for {name}i in range({count}):")
            lines.append(f"{pad}  %{name}k = arith.index_cast %{name}i : index to i64")
            python.append(f"{pad}  {name}k, {name}x = {name}i, {name}")
            branch(name, [*known, f"{name}x", f"{name}k"], depth, pad)
            lines.append(f"{pad}}}")
        else:
            lines.append(f"{pad}%{name}s = arith.index_cast %{left} : i64 to index")
            lines.append(f"{pad}%{name} = scf.index_switch %{name}s -> i64")
            python.append(f"{pad}if {left} == 1:")
            lines.append(f"{pad}case 1 {{")
            branch(name, known, depth, pad)
            lines.append(f"{pad}}} default {{")
            python.append(f"{pad}else:")
            branch(name, known, depth, pad)
            lines.append(f"{pad}}}")
        return name

    def branch(name: str, known: list[str], depth: int, pad: str) -> None:
        inner = list(known)
        for _ in range(draw(st.integers(1, 2))):
            inner.append(expression(inner, depth - 1, pad + "  "))
        lines.append(f"{pad}  scf.yield %{inner[-1]} : i64")
        python.append(f"{pad}  {name} = {inner[-1]}")

    known = ["a", "b", "c"]
    for _ in range(draw(st.integers(1, 3))):
        known.append(expression(known, 3, "  "))
    text = "func.func @f(%a: i64, %b: i64, %c: i64) -> i64 {\n  %c0 = arith.constant 0 : index\n"
    text += "  %c1 = arith.constant 1 : index\n" + "\n".join(lines) + f"\n  func.return %{known[-1]} : i64\n}}"
    source = "def f(a, b, c):\n" + "\n".join(python) + f"\n  return {known[-1]}"
    return text, source


def wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@settings(max_examples=40)
@given(programs(), st.lists(st.tuples(*[st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-2, 2)] * 3), max_size=4))
def test_random_programs(program: tuple[str, str], rows: list[tuple[int, int, int]]):
    text, source = program
    scope: dict[str, object] = {"wrap": wrap}
    exec(source, scope)
    compiled = Compiled(text, optimise=False)
    for row in rows:
        assert compiled.call("f", *row, result=I64) == scope["f"](*row)  # type: ignore[operator]
