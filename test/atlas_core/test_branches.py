"""Branches, calls and exits: the interpreter on what is written, and compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.dialects.atlas.lanes.programs import CallOp, FuncOp
from hologram.errors import HologramError, TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms.lanes.structure_control_flow import StructureControlFlowPass

Array = np.ndarray[Any, np.dtype[Any]]
LANES = 8
TAIL = """
func.func @main(%x: memref<?xi32>) {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one) args(%x : memref<?xi32>)
  func.return
}"""


def program(body: str, more: str = "") -> str:
    """A module with a program of eight lanes; each has its element of %x as %v."""
    head = """
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %three = atlas.mov_imm 3 : i32
  %v = atlas.ldg i32 %x[%i : i64] : memref<?xi32>"""
    return f"atlas.program @p(%x: memref<?xi32>) block [{LANES}, 1, 1] {{{head}\n{body}\n}}\n{more}{TAIL}"


def interpreted(text: str, x: Array) -> None:
    interpret(parse_module(text, "test.mlir", make_context()), "main", [x])


def compiled(text: str, x: Array) -> None:
    hologram.compile(text, cache=False, opt_level=1)(x)


WAYS = pytest.mark.parametrize("run", [interpreted, compiled])
Run = Callable[[str, Array], None]
STORE = "atlas.stg i32 %r, %x[%i : i64] : memref<?xi32>"


def numbers(*values: int) -> Array:
    return np.array(values, np.int32)


@WAYS
def test_loop_entered_in_two_places(run: Run):
    """Irreducible: lanes enter at ^a or at ^b, and go back and forth."""
    text = program(f"""
      %odd = atlas.and i32 %v, %one
      %p = atlas.setcc eq i32 %odd, %zero
      atlas.bra %p, ^a(%v : i32), ^b(%v : i32)
    ^a(%m: i32):
      %n = atlas.sub i32 %m, %three
      atlas.bra ^b(%n : i32)
    ^b(%k: i32):
      %l = atlas.sub i32 %k, %one
      %q = atlas.setcc gt i32 %l, %zero
      atlas.bra %q, ^a(%l : i32), ^end(%l : i32)
    ^end(%r: i32):
      {STORE}""")
    x = numbers(0, 1, 2, 3, 9, 10, 100, -5)
    expected: list[int] = []
    for v in (int(n) for n in x):
        value = v - 3 if v % 2 == 0 else v
        while (value := value - 1) > 0:
            value -= 3
        expected.append(value)
    run(text, x)
    assert x.tolist() == expected


@WAYS
def test_a_value_given_anew_on_one_way_and_read_on_the_other(run: Run):
    """The way back to ^outer gives a new %a; the way to ^read, from the same branch, reads the old one."""
    text = program(f"""
      atlas.bra ^outer(%three, %v, %zero : i32, i32, i32)
    ^outer(%a: i32, %n: i32, %s: i32):
      %p = atlas.setcc gt i32 %n, %zero
      atlas.bra %p, ^inner(%n, %s : i32, i32), ^end(%s : i32)
    ^inner(%m: i32, %t: i32):
      %less = atlas.sub i32 %m, %one
      %odd = atlas.and i32 %m, %one
      %q = atlas.setcc eq i32 %odd, %zero
      atlas.bra %q, ^read, ^outer(%m, %less, %t : i32, i32, i32)
    ^read:
      %u = atlas.add i32 %t, %a
      %more = atlas.setcc gt i32 %less, %zero
      atlas.bra %more, ^inner(%less, %u : i32, i32), ^end(%u : i32)
    ^end(%r: i32):
      {STORE}""")
    x = numbers(0, 1, 2, 3, 4, 9, 10, -5)
    expected: list[int] = []
    for n in (int(v) for v in x):
        a, total = 3, 0
        while n > 0:
            a, total = (n, total) if n % 2 else (a, total + a)
            n -= 1
        expected.append(total)
    run(text, x)
    assert x.tolist() == expected


RECURSIVE = """
atlas.func @sum(%n: i32) -> (i32) {
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %own = atlas.alloca : memref<1xi32, #atlas.space<local>>
  %first = atlas.mov_imm 0 : i64
  atlas.stl i32 %n, %own[%first : i64] : memref<1xi32, #atlas.space<local>>
  %p = atlas.setcc eq i32 %n, %zero
  atlas.bra %p, ^stop, ^more
^stop:
  atlas.ret %zero : i32
^more:
  %q = atlas.setcc lt i32 %n, %zero
  atlas.bra %q, ^leave, ^deeper
^leave:
  atlas.exit
^deeper:
  %less = atlas.sub i32 %n, %one
  %rest = atlas.call @sum(%less) : (i32) -> (i32)
  %mine = atlas.ldl i32 %own[%first : i64] : memref<1xi32, #atlas.space<local>>
  %all = atlas.add i32 %rest, %mine
  atlas.ret %all : i32
}
"""


@WAYS
def test_recursion_with_own_arrays_and_exit(run: Run):
    """Each activation has its own local array; a lane that exits in a function stores nothing."""
    x = numbers(0, 1, 5, 40, 255, -1, 3, 2)
    run(program(f"%r = atlas.call @sum(%v) : (i32) -> (i32)\n{STORE}", RECURSIVE), x)
    assert x.tolist() == [0, 1, 15, 820, 32640, -1, 6, 3]


@WAYS
def test_call_overflow(run: Run):
    text = program(f"%r = atlas.call @sum(%v) : (i32) -> (i32)\n{STORE}", RECURSIVE)
    with pytest.raises(TrapError, match="calls are nested deeper than 256 return addresses") as caught:
        run(text, numbers(0, 1, 2, 256, 4, 5, 6, 7))
    assert "lane (3, 0, 0)" in str(caught.value) or "lane 3" in str(caught.value)


def test_deep_calls_without_recursion():
    """A chain of 256 calls fits, one of 257 does not; it is counted although all of it is inlined."""

    def chain(count: int) -> str:
        functions = "".join(
            f"atlas.func @f{k}(%a: i32) -> (i32) {{\n"
            + (f"  %b = atlas.call @f{k + 1}(%a) : (i32) -> (i32)\n" if k + 1 < count else "  %b = atlas.neg i32 %a\n")
            + "  atlas.ret %b : i32\n}\n"
            for k in range(count)
        )
        return program(f"%r = atlas.call @f0(%v) : (i32) -> (i32)\n{STORE}", functions)

    x = np.arange(LANES, dtype=np.int32)
    interpreted(chain(256), x)
    assert x.tolist() == [0, -1, -2, -3, -4, -5, -6, -7]
    with pytest.raises(TrapError, match="nested deeper"):
        interpreted(chain(257), x)
    module = parse_module(chain(257), "test.mlir", make_context())
    StructureControlFlowPass().apply(make_context(), module)
    assert not any(isinstance(op, FuncOp | CallOp) for op in module.walk())
    with pytest.raises(TrapError, match="nested deeper"):
        interpret(module, "main", [x])


SHARED = "memref<8xi32, #atlas.space<shared>>"


@WAYS
def test_barriers_between_branches(run: Run):
    """A loop of branches with barriers, after some lanes exited and others went another way."""
    text = program(
        f"""
      %s = atlas.alloca : {SHARED}
      %big = atlas.mov_imm 100 : i32
      %p = atlas.setcc ge i32 %v, %big
      atlas.sts i32 %v, %s[%i : i64] : {SHARED}
      atlas.bra %p, ^leave, ^stay
    ^leave:
      atlas.exit
    ^stay:
      atlas.bra ^loop(%three, %v : i32, i32)
    ^loop(%n: i32, %a: i32):
      %odd = atlas.and i32 %a, %one
      %q = atlas.setcc eq i32 %odd, %zero
      atlas.bra %q, ^even, ^join(%a : i32)
    ^even:
      %b = atlas.add i32 %a, %one
      atlas.bra ^join(%b : i32)
    ^join(%c: i32):
      atlas.bar.sync 0
      %seven = atlas.mov_imm 7 : i64
      %other = atlas.xor i64 %i, %seven
      %d = atlas.lds i32 %s[%other : i64] : {SHARED}
      %r = atlas.add i32 %c, %d
      atlas.bar.sync 0
      atlas.sts i32 %r, %s[%i : i64] : {SHARED}
      %m = atlas.sub i32 %n, %one
      %more = atlas.setcc ne i32 %m, %zero
      atlas.bra %more, ^loop(%m, %r : i32, i32), ^end
    ^end:
      {STORE}"""
    )
    start = [0, 1, 2, 3, 4, 5, 100, 101]
    x = numbers(*start)
    run(text, x)
    shared: list[int] = list(start)
    values: list[int] = list(start)
    for _ in range(3):
        odd: list[int] = [v + 1 if v % 2 == 0 else v for v in values]
        values = [odd[k] + shared[k ^ 7] if k < 6 else start[k] for k in range(8)]
        shared = list(values)
    assert x.tolist() == values


def test_barrier_that_lanes_miss():
    text = program("""
      %p = atlas.setcc eq i32 %v, %zero
      atlas.bra %p, ^wait, ^other
    ^wait:
      atlas.bar.sync 0
      atlas.bra ^end
    ^other:
      atlas.bar.sync 1
      atlas.bra ^end
    ^end:""")
    with pytest.raises(TrapError, match="not all lanes of the block come to this barrier"):
        interpreted(text, np.arange(LANES, dtype=np.int32))
    with pytest.raises(HologramError, match="barrier"):
        compiled(text, np.arange(LANES, dtype=np.int32))


@WAYS
def test_exit_in_a_loop_with_barriers_that_counts(run: Run):
    """Lanes exit in the middle of atlas.loop, inside a function, and count as arrived."""
    text = program(
        f"""
      %r = atlas.loop %three : i32 iter(%v : i32) {{
      ^bb0(%k: i32, %a: i32):
        atlas.bar.sync 0
        %b = atlas.call @step(%a) : (i32) -> (i32)
        atlas.yield %b : i32
      }}
      {STORE}""",
        """
atlas.func @step(%a: i32) -> (i32) {
  %one = atlas.mov_imm 1 : i32
  %six = atlas.mov_imm 6 : i32
  %p = atlas.setcc gt i32 %a, %six
  atlas.bra %p, ^leave, ^on
^leave:
  atlas.exit
^on:
  %b = atlas.add i32 %a, %one
  atlas.ret %b : i32
}
""",
    )
    x = np.arange(LANES, dtype=np.int32)
    run(text, x)
    assert x.tolist() == [3, 4, 5, 6, 7, 5, 6, 7]


@WAYS
def test_pointers_go_by_different_ways(run: Run):
    """A pointer that is made in a loop and used after one of its two ends."""
    text = program("""
      %four = atlas.mov_imm 4 : i64
      %at = atlas.mul i64 %i, %four
      atlas.bra ^loop(%v : i32)
    ^loop(%n: i32):
      %p = atlas.setcc le i32 %n, %zero
      atlas.bra %p, ^end, ^more
    ^more:
      %a = atlas.lea i32 %x[%at : i64] : memref<?xi32>
      %m = atlas.sub i32 %n, %three
      %q = atlas.setcc eq i32 %m, %one
      atlas.bra %q, ^use, ^loop(%m : i32)
    ^use:
      atlas.stg i32 %m, %a[] : !atlas.ptr<i32, global>
      atlas.bra ^end
    ^end:""")
    x = numbers(0, 1, 4, 7, 8, 10, 6, 2)
    run(text, x)
    assert x.tolist() == [0, 1, 1, 1, 8, 1, 6, 2]


@WAYS
def test_a_loop_that_never_ends_but_by_exit(run: Run):
    text = program(f"""
      atlas.bra ^loop(%v : i32)
    ^loop(%n: i32):
      %r = atlas.mul i32 %n, %three
      %big = atlas.mov_imm 50 : i32
      %p = atlas.setcc gt i32 %r, %big
      atlas.bra %p, ^leave, ^next
    ^leave:
      {STORE}
      atlas.exit
    ^next:
      %m = atlas.add i32 %r, %one
      atlas.bra ^loop(%m : i32)""")
    x = np.arange(LANES, dtype=np.int32)
    run(text, x)
    assert x.tolist() == [120, 120, 66, 93, 120, 147, 57, 66]


def test_unknown_callee_is_refused():
    with pytest.raises(HologramError, match="there is no atlas.func @nobody"):
        compiled(program(f"%r = atlas.call @nobody(%v) : (i32) -> (i32)\n{STORE}"), numbers(*range(LANES)))
