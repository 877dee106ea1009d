"""Lane programs through the whole pipeline: ids, guards and what their traps name, exits, barriers, shared memory."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.lanes.convert_atlas_to_core import ConvertAtlasToCorePass

Array = np.ndarray[Any, np.dtype[Any]]

HOST = """
func.func @main(%x: memref<?xi32>, %gx: index, %gy: index, %gz: index) {{
  atlas.launch @p grid(%gx, %gy, %gz) args(%x : memref<?xi32>)
  func.return
}}
atlas.program @p(%x: memref<?xi32>) block {block} {{
{body}
}}"""


def both(body: str, x: Array, grid: tuple[int, int, int] = (1, 1, 1), block: str = "[8, 1, 1]") -> Array:
    """Runs a program by interpreter and as machine code, which must agree; gives what `x` became."""
    text = HOST.format(body=body, block=block)
    ours, expected = x.copy(), x.copy()
    hologram.compile(text)(ours, *grid)
    interpret(parse_module(text, "p.mlir", make_context()), "main", [expected, *grid])
    np.testing.assert_array_equal(ours, expected)
    return ours


def core(body: str, block: str = "[8, 1, 1]", bounds: str = "guard") -> str:
    """The IR after convert-atlas-to-core."""
    module = parse_module(HOST.format(body=body, block=block), "p.mlir", make_context())
    ConvertAtlasToCorePass(bounds).apply(make_context(), module)
    module.verify()
    return str(module)


ROW = """
  %g = atlas.special gid : i64
  %g32 = atlas.cvt i64 to i32 %g
"""


@pytest.mark.parametrize("register", [f"{a}.{b}" for a in ("lane", "block", "lanes", "grid") for b in "xyz"] + ["gid"])
def test_special_registers(register: str) -> None:
    read = f"%v = atlas.special {register} : " + ("i64\n %w = atlas.cvt i64 to i32 %v" if register == "gid" else "i32")
    value = "%w" if register == "gid" else "%v"
    body = f"{ROW}\n {read}\n atlas.stg i32 {value}, %x[%g : i64] : memref<?xi32>"
    both(body, np.zeros(2 * 3 * 4 * 24, np.int32), (2, 3, 4), "[4, 3, 2]")


def test_a_launch_without_a_fixed_block() -> None:
    text = """
func.func @main(%x: memref<?xi32>, %g: index, %n: index) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%g, %c1, %c1) block(%n, %c1, %c1) args(%x : memref<?xi32>)
  func.return
}
atlas.program @p(%x: memref<?xi32>) {
  %g = atlas.special gid : i64
  %v = atlas.special lanes.x : i32
  atlas.stg i32 %v, %x[%g : i64] : memref<?xi32>
}"""
    x = np.zeros(15, np.int32)
    hologram.compile(text)(x, 3, 5)
    assert (x == 5).all()


# Guards

LOAD = "  %v = atlas.ldg i32 %x[{} : i64] : memref<?xi32>\n"


def test_an_index_past_the_end_traps_with_lane_and_values() -> None:
    kernel = hologram.compile(
        HOST.format(body=ROW + "atlas.stg i32 %g32, %x[%g : i64] : memref<?xi32>", block="[8, 1, 1]")
    )
    x = np.zeros(13, np.int32)
    with pytest.raises(TrapError, match=r"lane 13: atlas.stg i32: index out of range .values 13, 13"):
        kernel(x, 2, 1, 1)
    np.testing.assert_array_equal(x, np.arange(13))


def test_a_negative_index_traps() -> None:
    body = ROW + "%m = atlas.mov_imm -3 : i64\n" + LOAD.format("%m")
    with pytest.raises(TrapError, match=r"atlas.ldg i32: index out of range .values -3, 4"):
        hologram.compile(HOST.format(body=body, block="[8, 1, 1]"))(np.zeros(4, np.int32), 1, 1, 1)


def test_a_trap_of_two_axes_names_the_one_that_is_out() -> None:
    body = """
  %s = atlas.alloca : memref<4x5xi32, #atlas.space<local>>
  %c = atlas.mov_imm 2 : i64
  %k = atlas.ldg i32 %x[%c : i64] : memref<?xi32>
  %i = atlas.cvt i32 to i64 %k
  %v = atlas.mov_imm 1 : i32
  atlas.stl i32 %v, %s[%i, %i : i64, i64] : memref<4x5xi32, #atlas.space<local>>"""
    kernel = hologram.compile(HOST.format(body=body, block="[1, 1, 1]"))
    for index, size in ((4, 4), (9, 4), (-1, 4)):
        with pytest.raises(TrapError, match=rf"atlas.stl i32: index out of range .values {index}, {size}"):
            kernel(np.full(3, index, np.int32), 1, 1, 1)


def test_a_launch_of_no_blocks_traps() -> None:
    kernel = hologram.compile(HOST.format(body="atlas.exit", block="[8, 1, 1]"))
    with pytest.raises(TrapError, match="atlas.launch @p: a size of the launch is zero"):
        kernel(np.zeros(1, np.int32), 1, 0, 1)


def guards(body: str, block: str = "[8, 1, 1]", bounds: str = "guard") -> int:
    """The number of guarded accesses."""
    return len(re.findall(r'cf.assert %\S+, "atlas.(?:ld|st)', core(body, block, bounds)))


SHARED = "memref<8xi32, #atlas.space<shared>>"


@pytest.mark.parametrize(
    ("index", "proven"),
    [
        ("%i = atlas.special lane.x : i32", True),
        ("%i = atlas.mov_imm 7 : i32", True),
        ("%i = atlas.mov_imm 8 : i32", False),
        ("%i = atlas.mov_imm -1 : i32", False),
        ("%l = atlas.special lane.x : i32\n %c = atlas.mov_imm 7 : i32\n %i = atlas.sub u32 %c, %l", True),
        ("%l = atlas.special lane.x : i32\n %c = atlas.mov_imm 6 : i32\n %i = atlas.sub u32 %c, %l", False),
        ("%l = atlas.special block.x : i32\n %c = atlas.mov_imm 7 : i32\n %i = atlas.and i32 %l, %c", True),
        ("%m = atlas.special block.x : i32\n %c = atlas.mov_imm 8 : i32\n %i = atlas.rem u32 %m, %c", True),
        ("%m = atlas.special block.x : i32\n %c = atlas.mov_imm 8 : i32\n %i = atlas.rem i32 %m, %c", False),
        ("%l = atlas.special lane.x : i32\n %c = atlas.mov_imm 1 : i32\n %i = atlas.shr u32 %l, %c", True),
        ("%l = atlas.special lane.x : i32\n %c = atlas.mov_imm 1 : i32\n %i = atlas.shl u32 %l, %c", False),
        ("%l = atlas.special lane.x : i32\n %c = atlas.mov_imm 1 : i32\n %i = atlas.add u32 %l, %c", False),
        ("%l = atlas.special lane.y : i32\n %i = atlas.max u32 %l, %l", True),
    ],
)  # fmt: skip
def test_proven_accesses_have_no_guard(index: str, proven: bool) -> None:
    body = f"""
  %s = atlas.alloca : {SHARED}
  {index}
  %j = atlas.cvt i32 to i64 %i
  %v = atlas.mov_imm 1 : i32
  atlas.sts i32 %v, %s[%j : i64] : {SHARED}"""
    assert guards(body) == (0 if proven else 1)
    assert guards(body, bounds="trust") == 0


def test_a_loop_of_constant_count_proves_its_index() -> None:
    body = f"""
  %s = atlas.alloca : {SHARED}
  %n = atlas.mov_imm {{}} : i64
  atlas.loop %n : i64 {{{{
  ^bb0(%i: i64):
    %v = atlas.mov_imm 1 : i32
    atlas.sts i32 %v, %s[%i : i64] : {SHARED}
  }}}}"""
    assert guards(body.format(8)) == 0
    assert guards(body.format(9)) == 1


def test_only_what_may_trap_takes_a_record() -> None:
    text = """
func.func @safe(%a: i32) -> i32 {
  %c = atlas.mov_imm 3 : i32
  %q = atlas.div i32 %a, %c
  func.return %q : i32
}
func.func @traps(%a: i32) -> i32 {
  %q = atlas.div i32 %a, %a
  func.return %q : i32
}
func.func @calls(%a: i32) -> i32 {
  %q = func.call @traps(%a) : (i32) -> i32
  func.return %q : i32
}"""
    module = parse_module(text, "t.mlir", make_context())
    ConvertAtlasToCorePass().apply(make_context(), module)
    module.verify()
    heads = dict(re.findall(r"func.func @(\w+)\((.*?)\) ->", str(module)))
    assert {name: "hologram.trap" in head for name, head in heads.items()} == {
        "safe": False, "traps": True, "calls": True,
    }  # fmt: skip


# Control


def test_nested_ifs_and_loops_with_values() -> None:
    body = (
        ROW
        + """
  %zero = atlas.mov_imm 0 : i32
  %three = atlas.mov_imm 3 : i32
  %s = atlas.loop %g32 : i32 iter(%zero : i32) {
  ^bb0(%i: i32, %acc: i32):
    %r = atlas.rem u32 %i, %three
    %p = atlas.setcc eq u32 %r, %zero
    %t = atlas.if %p -> (i32) {
      %u = atlas.add i32 %acc, %i
      atlas.yield %u : i32
    } else {
      %u = atlas.sub i32 %acc, %three
      atlas.yield %u : i32
    }
    atlas.yield %t : i32
  }
  atlas.stg i32 %s, %x[%g : i64] : memref<?xi32>"""
    )
    both(body, np.zeros(24, np.int32), (3, 1, 1))


def test_an_exit_skips_the_rest() -> None:
    body = (
        ROW
        + """
  %n = atlas.mov_imm 5 : i32
  %p = atlas.setcc ge i32 %g32, %n
  atlas.if %p {
    atlas.exit
  }
  atlas.stg i32 %g32, %x[%g : i64] : memref<?xi32>"""
    )
    x = both(body, np.full(5, -1, np.int32))
    np.testing.assert_array_equal(x, np.arange(5))


def test_an_exit_in_a_branch_that_yields() -> None:
    body = (
        ROW
        + """
  %n = atlas.mov_imm 5 : i32
  %p = atlas.setcc ge i32 %g32, %n
  %v = atlas.if %p -> (i32) {
    %q = atlas.setcc eq i32 %g32, %n
    atlas.if %q {
      atlas.exit
    }
    %m = atlas.neg i32 %g32
    atlas.yield %m : i32
  } else {
    atlas.yield %n : i32
  }
  atlas.stg i32 %v, %x[%g : i64] : memref<?xi32>"""
    )
    x = both(body, np.full(8, 9, np.int32))
    np.testing.assert_array_equal(x, [5, 5, 5, 5, 5, 9, -6, -7])


def test_exits_inside_a_loop() -> None:
    body = (
        ROW
        + """
  %n = atlas.mov_imm 6 : i32
  %one = atlas.mov_imm 1 : i32
  %s = atlas.loop %n : i32 iter(%one : i32) {
  ^bb0(%i: i32, %a: i32):
    %p = atlas.setcc eq i32 %i, %g32
    atlas.if %p {
      atlas.exit
    }
    %b = atlas.add i32 %a, %i
    atlas.stg i32 %b, %x[%g : i64] : memref<?xi32>
    atlas.yield %b : i32
  }
  %m = atlas.neg i32 %s
  atlas.stg i32 %m, %x[%g : i64] : memref<?xi32>"""
    )
    both(body, np.full(8, 9, np.int32))


def test_exited_lanes_count_as_arrived_at_barriers() -> None:
    body = (
        ROW
        + f"""
  %s = atlas.alloca : {SHARED}
  %lane32 = atlas.special lane.x : i32
  %lane = atlas.cvt u32 to u64 %lane32
  %six = atlas.mov_imm 6 : i32
  %five = atlas.mov_imm 5 : i32
  %p = atlas.setcc ge i32 %lane32, %six
  atlas.sts i32 %lane32, %s[%lane : i64] : {SHARED}
  atlas.if %p {{
    atlas.exit
  }}
  %own = atlas.lds i32 %s[%lane : i64] : {SHARED}
  %twice = atlas.add i32 %own, %own
  atlas.sts i32 %twice, %s[%lane : i64] : {SHARED}
  atlas.bar.sync 0
  %back = atlas.sub i32 %five, %lane32
  %other = atlas.cvt i32 to i64 %back
  %v = atlas.lds i32 %s[%other : i64] : {SHARED}
  %q = atlas.setcc eq i32 %lane32, %five
  atlas.if %q {{
    atlas.exit
  }}
  atlas.bar.sync 1
  atlas.stg i32 %v, %x[%g : i64] : memref<?xi32>"""
    )
    x = both(body, np.full(16, -1, np.int32), (2, 1, 1))
    np.testing.assert_array_equal(x, [10, 8, 6, 4, 2, -1, -1, -1] * 2)


def test_exits_in_a_loop_around_a_barrier() -> None:
    body = (
        ROW
        + f"""
  %s = atlas.alloca : {SHARED}
  %lane32 = atlas.special lane.x : i32
  %lane = atlas.cvt u32 to u64 %lane32
  %zero = atlas.mov_imm 0 : i32
  %steps = atlas.mov_imm 5 : i32
  %first = atlas.mov_imm 0 : i64
  %r = atlas.loop %steps : i32 iter(%zero : i32) {{
  ^bb0(%i: i32, %a: i32):
    atlas.sts i32 %i, %s[%lane : i64] : {SHARED}
    atlas.bar.sync 0
    %v = atlas.lds i32 %s[%first : i64] : {SHARED}
    %b = atlas.add i32 %a, %v
    %three = atlas.mov_imm 3 : i32
    %t = atlas.sub i32 %lane32, %three
    %p = atlas.setcc eq i32 %t, %i
    atlas.if %p {{
      atlas.stg i32 %b, %x[%g : i64] : memref<?xi32>
      atlas.exit
    }}
    atlas.bar.sync 1
    atlas.yield %b : i32
  }}
  atlas.stg i32 %r, %x[%g : i64] : memref<?xi32>"""
    )
    x = both(body, np.full(8, -1, np.int32))
    np.testing.assert_array_equal(x, [10, 10, 10, 0, 1, 3, 6, 10])
