"""Outlined loops do what the loops did: shapes of loops, nests, traps, what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.lowering.processor.outline_parallel_loops import OutlineParallelLoopsPass, parallel_callee
from hologram.runtime.devices.cpu.pool import Pool

NUMBERS = (1, 2, 3, 7)

LOOP = """
func.func @main({arguments}, %n: memref<?xi64>) {{
  %one = arith.constant 1 : i64
  %first = arith.constant {first} : index
  %by = arith.constant {step} : index
  "scf.parallel"({lowers}, {uppers}, {steps}) <{{operandSegmentSizes = array<i32: {d}, {d}, {d}, 0>}}> ({{
  ^bb0({indices}):
{flat}
    %old = memref.load %n[%at] : memref<?xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %n[%at] : memref<?xi64>
    scf.reduce
  }}) : ({types}) -> ()
  func.return
}}"""


def loop(dimensions: int, first: int, step: int) -> str:
    """Counts how often each place of a box with edges of 16 is visited."""
    axes = range(dimensions)
    flat = ["    %width = arith.constant 16 : index", "    %at0 = arith.constant 0 : index"]
    for axis in axes:
        flat.append(f"    %m{axis} = arith.muli %at{axis}, %width : index")
        flat.append(f"    %at{axis + 1} = arith.addi %m{axis}, %i{axis} : index")
    text = "\n".join(flat).replace(f"%at{dimensions} ", "%at ")
    return LOOP.format(
        arguments=", ".join(f"%u{a}: index" for a in axes),
        first=first,
        step=step,
        d=dimensions,
        lowers=", ".join("%first" for _ in axes),
        uppers=", ".join(f"%u{a}" for a in axes),
        steps=", ".join("%by" for _ in axes),
        indices=", ".join(f"%i{a}: index" for a in axes),
        types=", ".join(["index"] * (3 * dimensions)),
        flat=text,
    )


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize(("first", "step"), [(0, 1), (2, 1), (0, 3), (1, 4)])
def test_every_iteration_runs_once(dimensions: int, first: int, step: int, eager: Pool):
    kernel = hologram.compile(loop(dimensions, first, step), cache=False, opt_level=1)
    edges = (0, 1, 2, 5, 16) if dimensions < 3 else (0, 1, 5, 16)
    for number, uppers in itertools.product(NUMBERS, itertools.product(edges, repeat=dimensions)):
        hologram.set_num_threads(number)
        found = np.zeros(16**dimensions, np.int64)
        kernel(*uppers, found)
        expected = np.zeros((16,) * dimensions, np.int64)
        expected[tuple(slice(first, upper, step) for upper in uppers)] = 1
        assert np.array_equal(found, expected.ravel()), (number, uppers)


@pytest.mark.parametrize("upper", [-5, -1])
def test_no_iterations_below_zero(upper: int, eager: Pool):
    found = np.zeros(16, np.int64)
    hologram.compile(loop(1, 0, 1), cache=False)(upper, found)
    assert not found.any()


def outlined(text: str, least: int = 0) -> ModuleOp:
    ctx = make_context()
    module = parse_module(text, "program.mlir", ctx)
    OutlineParallelLoopsPass(least_work=least).apply(ctx, module)
    module.verify()
    return module


def calls(module: ModuleOp) -> list[str]:
    return [name for op in module.walk() if (name := parallel_callee(op)) is not None]


def test_twice_is_once():
    module = outlined(loop(2, 0, 1))
    before = str(module)
    OutlineParallelLoopsPass(least_work=0).apply(make_context(), module)
    assert str(module) == before
    assert calls(module) == ["main_parallel_0"]


def test_names_are_free():
    taken = loop(1, 0, 1) + "\nfunc.func private @main_parallel_0() { func.return }"
    assert calls(outlined(taken)) == ["main_parallel_1"]


def test_small_loops_stay():
    constant = "%u0 = arith.constant 16 : index\n  %first = "
    text = loop(1, 0, 1).replace("%u0: index, ", "").replace("%first = ", constant)
    assert calls(outlined(text, least=1_000_000)) == []
    assert calls(outlined(text, least=1)) == ["main_parallel_0"]


RECURSIVE = """
func.func private @again(%n: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @again(%m, %a) : (index, memref<?xf32>) -> ()
  }
  func.return
}
func.func @main(%n: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    func.call @again(%i, %a) : (index, memref<?xf32>) -> ()
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
"""


def test_a_body_may_call_what_calls_itself():
    assert calls(outlined(RECURSIVE)) == ["main_parallel_0"]


REDUCTION = """
func.func @main(%n: index, %a: memref<?xf32>, %s: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = "scf.parallel"(%c0, %n, %c1, %z) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %t = arith.addf %p, %q : f32
      scf.reduce.return %t : f32
    }
  }) : (index, index, index, f32) -> f32
  memref.store %r, %s[] : memref<f32>
  func.return
}"""
ATOMIC = """
func.func @main(%n: index, %a: memref<?x{type}>, %s: memref<1x{type}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %n, %c1) <{{operandSegmentSizes = array<i32: 1, 1, 1, 0>}}> ({{
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?x{type}>
    %old = "memref.atomic_rmw"(%x, %s, %c0) <{{kind = {kind} : i64}}> : ({type}, memref<1x{type}>, index) -> {type}
    {use}
    scf.reduce
  }}) : (index, index, index) -> ()
  func.return
}}"""
ASSERTION = """
func.func @main(%n: index, %a: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?xi1>
    cf.assert %x, "no"
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}"""


@pytest.mark.parametrize(
    "text",
    [
        REDUCTION,
        ASSERTION,
    ],
    ids=["reduction", "assertion-without-record"],
)
def test_order_and_early_returns_matter(text: str):
    module = outlined(text)
    assert not calls(module)
    assert any(isinstance(op, scf.ParallelOp) for op in module.walk())


@pytest.mark.parametrize(("element", "kind"), [("i32", 1), ("f32", 0)])
def test_atomics(element: str, kind: int, eager: Pool):
    """Sums whose order no result shows, and the sums so far, which come in any order."""
    a = np.ones(10_000, element.replace("i", "int").replace("f32", "float32"))
    hologram.set_num_threads(3)
    for use in ("", f"memref.store %old, %a[%i] : memref<?x{element}>"):
        text = ATOMIC.format(type=element, kind=kind, use=use)
        assert calls(outlined(text))
        given, total = a.copy(), np.zeros_like(a[:1])
        hologram.compile(text, cache=False)(a.size, given, total)
        assert total[0] == a.size
    assert np.sort(given).tolist() == list(range(a.size))


def test_traps_leave_the_callers(eager: Pool):
    """A trap in one part is reported, the code after the loop does not run, and the kernel can be called again."""
    text = """
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %q = hologram.div %a, %b : tensor<?xi32>
  func.return %q : tensor<?xi32>
}"""
    kernel = hologram.compile(text, cache=False)
    a = np.arange(50_000, dtype=np.int32)
    b = np.full_like(a, 3)
    bad = b.copy()
    bad[40_000] = 0
    for number in NUMBERS:
        hologram.set_num_threads(number)
        for _ in range(20):
            with pytest.raises(hologram.TrapError, match="lane 40000"):
                kernel(a, bad)
            assert np.array_equal(kernel(a, b), a // 3)


def test_access_goes_through_calls():
    """An array that the outlined function only reads counts as read, so read-only arrays are accepted."""
    text = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.add %a, %a : tensor<?xf32>
  func.return %r : tensor<?xf32>
}"""
    kernel = hologram.compile(text, cache=False)
    assert [("write" if argument.written else "read") for argument in kernel.arguments] == ["read", "write"]
    a: Any = np.arange(5, dtype=np.float32)
    a.flags.writeable = False
    assert np.array_equal(kernel(a), a + a)


def test_functions_are_private():
    module = outlined(loop(2, 0, 1))
    made = [op for op in module.walk() if isinstance(op, func.FuncOp) and op.sym_name.data == "main_parallel_0"]
    assert [str(op.sym_visibility) for op in made] == ['"private"']
