"""Lane programs: registers, memory, control flow, barriers, and each trap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram.runtime.interpreter.launch as launching
from interpreter.running import Array, fails, launch, run

SHARED = "memref<64xf32, #atlas.space<shared>>"
GLOBAL = "memref<?xf32>"
REGISTERS = """
  %l32 = atlas.special lane.x : i32
  %l = atlas.cvt u32 to i64 %l32
  %b32 = atlas.special block.x : i32
  %b = atlas.cvt u32 to i64 %b32
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i64
  %fone = atlas.mov_imm 1.0 : f32
"""


def program(body: str, arguments: str = "%x: memref<?xf32>, %o: memref<?xf32>", block: str = "block [64, 1, 1]") -> str:
    """A program @p that has its lane, block and linear number, and some constants at hand."""
    return f"atlas.program @p({arguments}) {block} {{\n{REGISTERS}{body}\n}}"


def zeros(count: int) -> Array:
    return np.zeros(count, np.float32)


BLOCK_SUM = f"""
  %s = atlas.alloca : {SHARED}
  %v = atlas.ldg f32 %x[%i : i64] : {GLOBAL}
  atlas.sts f32 %v, %s[%l : i64] : {SHARED}
  atlas.bar.sync 0
  %six = atlas.mov_imm 6 : i32
  %n32 = atlas.mov_imm 32 : i32
  atlas.loop %six : i32 {{
  ^bb0(%k: i32):
    %half = atlas.shr u32 %n32, %k
    %p = atlas.setcc lt u32 %l32, %half
    %h = atlas.cvt u32 to i64 %half
    atlas.if %p {{
      %j = atlas.add i64 %l, %h
      %a = atlas.lds f32 %s[%l : i64] : {SHARED}
      %c = atlas.lds f32 %s[%j : i64] : {SHARED}
      %t = atlas.add f32 %a, %c
      atlas.sts f32 %t, %s[%l : i64] : {SHARED}
    }}
    atlas.bar.sync 1
  }}
  %first = atlas.setcc eq i64 %l, %zero
  atlas.if %first {{
    %r = atlas.lds f32 %s[%zero : i64] : {SHARED}
    atlas.stg f32 %r, %o[%b : i64] : {GLOBAL}
  }}"""


@pytest.mark.parametrize("batch", [1, 200, 1 << 14])
def test_block_sum(monkeypatch: pytest.MonkeyPatch, batch: int):
    monkeypatch.setattr(launching, "BATCH_LANES", batch)
    x, o = np.arange(640, dtype=np.float32), zeros(10)
    launch(program(BLOCK_SUM), [x, o], (10, 1, 1))
    assert o.tolist() == x.reshape(10, 64).sum(1).tolist()


def test_block_sum_without_a_barrier_races():
    text = program(BLOCK_SUM.replace("atlas.bar.sync 1", ""))
    error = fails("trap-race", launch, text, [zeros(64), zeros(1)])
    assert "@p: 'atlas.lds'" in error.message
    assert "lane (0, 0, 0) of block (0, 0, 0)" in error.message


def test_special_registers():
    names = [
        "lane.x",
        "lane.y",
        "lane.z",
        "block.x",
        "block.y",
        "block.z",
        "lanes.x",
        "lanes.y",
        "lanes.z",
        "grid.x",
        "grid.y",
        "grid.z",
    ]
    body = "".join(
        f"%v{k} = atlas.special {name} : i32\n%k{k} = atlas.mov_imm {k} : i64\n"
        f"atlas.stg i32 %v{k}, %m[%g, %k{k} : i64, i64] : memref<?x12xi32>\n" for k, name in enumerate(names)
    )  # fmt: skip
    text = f"atlas.program @p(%m: memref<?x12xi32>) {{\n%g = atlas.special gid : i64\n{body}}}"
    grid, block = (2, 3, 2), (3, 2, 2)
    m = np.full((144, 12), -1, np.int32)
    launch(text, [m], grid, block)
    expected: list[list[int]] = []
    for outer in range(12):
        bx, by, bz = outer % 2, outer // 2 % 3, outer // 6
        for inner in range(12):
            expected.append([inner % 3, inner // 3 % 2, inner // 6, bx, by, bz, *block, *grid])
    assert m.tolist() == expected


def test_divergent_ifs_merge():
    body = f"""
      %two = atlas.mov_imm 2 : i64
      %odd = atlas.rem i64 %i, %two
      %p = atlas.setcc eq i64 %odd, %zero
      %r, %q = atlas.if %p -> (f32, i64) {{
        atlas.yield %fone, %i : f32, i64
      }} else {{
        %m = atlas.neg f32 %fone
        %small = atlas.setcc lt i64 %i, %two
        %d = atlas.if %small -> (i64) {{
          atlas.yield %zero : i64
        }} else {{
          atlas.yield %two : i64
        }}
        atlas.yield %m, %d : f32, i64
      }}
      %f = atlas.cvt i64 to f32 %q
      %t = atlas.add f32 %r, %f
      atlas.stg f32 %t, %o[%i : i64] : {GLOBAL}"""
    o = zeros(64)
    launch(program(body), [o, o])
    assert o.tolist() == [1.0 + i if i % 2 == 0 else -1.0 + (0 if i < 2 else 2) for i in range(64)]


def test_loops_with_a_count_each():
    body = f"""
      %c = atlas.cvt i64 to i32 %l
      %fzero = atlas.mov_imm 0.0 : f32
      %s, %n = atlas.loop %c : i32 iter(%fzero, %zero : f32, i64) {{
      ^bb0(%k: i32, %a: f32, %m: i64):
        %f = atlas.cvt u32 to f32 %k
        %t = atlas.add f32 %a, %f
        %u = atlas.add i64 %m, %one
        atlas.yield %t, %u : f32, i64
      }}
      %g = atlas.cvt i64 to f32 %n
      %h = atlas.fma f32 %g, %g, %s
      atlas.stg f32 %h, %o[%i : i64] : {GLOBAL}"""
    o = zeros(64)
    launch(program(body), [o, o])
    assert o.tolist() == [n * (n - 1) / 2 + n * n for n in range(64)]


def test_loop_counts_are_unsigned():
    body = """
      %c = atlas.mov_imm -1 : i32
      atlas.loop %c : i32 {
      ^bb0(%k: i32):
        %t = atlas.add i32 %k, %k
      }"""
    fails("trap-step-limit", launch, program(body), [zeros(1), zeros(1)], step_limit=500)
    small = """
      %c = atlas.mov_imm -1 : i8
      %r = atlas.loop %c : i8 iter(%zero : i64) {
      ^bb0(%k: i8, %n: i64):
        %m = atlas.cvt u8 to i64 %k
        atlas.yield %m : i64
      }
      %f = atlas.cvt i64 to f32 %r
      atlas.stg f32 %f, %o[%i : i64] : memref<?xf32>"""
    o = zeros(64)
    launch(program(small), [o, o])
    assert set(o.tolist()) == {254.0}


def test_local_memory_is_each_lanes_own():
    body = f"""
      %m = atlas.alloca : memref<2xi64, #atlas.space<local>>
      atlas.stl i64 %i, %m[%one : i64] : memref<2xi64, #atlas.space<local>>
      %v = atlas.ldl i64 %m[%one : i64] : memref<2xi64, #atlas.space<local>>
      %f = atlas.cvt i64 to f32 %v
      atlas.stg f32 %f, %o[%i : i64] : {GLOBAL}"""
    o = zeros(128)
    launch(program(body), [o, o], (2, 1, 1))
    assert o.tolist() == list(range(128))


def test_an_array_declared_in_a_loop_is_one_array():
    body = f"""
      %two = atlas.mov_imm 2 : i32
      atlas.loop %two : i32 {{
      ^bb0(%k: i32):
        %m = atlas.alloca : memref<1xi32, #atlas.space<local>>
        %none = atlas.mov_imm 0 : i32
        %p = atlas.setcc eq i32 %k, %none
        atlas.if %p {{
          atlas.stl i32 %l32, %m[%zero : i64] : memref<1xi32, #atlas.space<local>>
        }} else {{
          %v = atlas.ldl i32 %m[%zero : i64] : memref<1xi32, #atlas.space<local>>
          %f = atlas.cvt i32 to f32 %v
          atlas.stg f32 %f, %o[%i : i64] : {GLOBAL}
        }}
      }}"""
    o = zeros(64)
    launch(program(body), [o, o])
    assert o.tolist() == list(range(64))


def test_exit_ends_lanes():
    body = f"""
      %n = atlas.mov_imm 40 : i64
      %p = atlas.setcc ge i64 %i, %n
      atlas.if %p {{
        atlas.exit
      }}
      atlas.stg f32 %fone, %o[%i : i64] : {GLOBAL}
      %c = atlas.mov_imm 3 : i32
      atlas.loop %c : i32 {{
      ^bb0(%k: i32):
        %k64 = atlas.cvt u32 to i64 %k
        %q = atlas.setcc eq i64 %k64, %i
        atlas.if %q {{
          atlas.exit
        }}
      }}
      %two = atlas.add f32 %fone, %fone
      atlas.stg f32 %two, %o[%i : i64] : {GLOBAL}"""
    o = zeros(40)
    launch(program(body), [o, o])
    assert o.tolist() == [1.0] * 3 + [2.0] * 37


def test_both_sides_may_exit_and_a_loop_body_too():
    body = f"""
      %p = atlas.setcc eq i64 %i, %zero
      %r = atlas.if %p -> (f32) {{
        atlas.exit
      }} else {{
        atlas.yield %fone : f32
      }}
      atlas.stg f32 %r, %o[%i : i64] : {GLOBAL}
      %q = atlas.setcc eq i64 %i, %one
      %s = atlas.if %q -> (f32) {{
        atlas.yield %r : f32
      }} else {{
        atlas.exit
      }}
      %t = atlas.add f32 %s, %s
      atlas.stg f32 %t, %o[%i : i64] : {GLOBAL}
      %n = atlas.mov_imm 5 : i32
      %u = atlas.loop %n : i32 iter(%s : f32) {{
      ^bb0(%k: i32, %a: f32):
        atlas.exit
      }}
      atlas.stg f32 %fone, %o[%zero : i64] : {GLOBAL}"""
    o = zeros(64)
    launch(program(body), [o, o])
    assert o.tolist() == [0.0, 2.0] + [1.0] * 62
    everyone = f"""
      %p = atlas.setcc eq i64 %zero, %zero
      %r = atlas.if %p -> (f32) {{
        atlas.exit
      }} else {{
        atlas.exit
      }}
      atlas.stg f32 %r, %o[%i : i64] : {GLOBAL}"""
    launch(program(everyone), [o, o])


def test_scalars_of_all_kinds_and_rank_zero():
    text = """
      atlas.program @p(%m: memref<f32>, %k: f32, %h: bf16, %w: memref<2x2xi1>, %n: index) block [1, 1, 1] {
        %v = atlas.ldg f32 %m[] : memref<f32>
        %s = atlas.mul f32 %v, %k
        atlas.stg f32 %s, %m[] : memref<f32>
        %one = atlas.mov_imm 1 : i64
        %c1 = arith.constant 1 : index
        %d = memref.dim %w, %c1 : memref<2x2xi1>
        %j = arith.subi %d, %n : index
        %p = atlas.setcc eq i64 %one, %one
        atlas.stg bool %p, %w[%one, %j : i64, index] : memref<2x2xi1>
      }"""
    m, w = np.array(3.0, np.float32), np.zeros((2, 2), np.bool_)
    launch(text, [m, 2.0, 1.0, w, 1], block=(1, 1, 1))
    assert m == 6
    assert w.tolist() == [[False, False], [False, True]]


def test_rank_zero_stores_of_several_lanes_race():
    text = "atlas.program @p(%m: memref<f32>, %k: f32) block [2, 1, 1] {\natlas.stg f32 %k, %m[] : memref<f32>\n}"
    error = fails("trap-race", launch, text, [np.array(0.0, np.float32), 1.0])
    assert "written at once" in error.message


def test_launch_from_a_host_function():
    text = (
        program(f"atlas.stg f32 %fone, %o[%i : i64] : {GLOBAL}")
        + """
      func.func @main(%o: memref<?xf32>, %g: index, %b: index) {
        %c1 = arith.constant 1 : index
        %x = memref.alloc() : memref<4xf32>
        %y = "memref.cast"(%x) : (memref<4xf32>) -> memref<?xf32>
        atlas.launch @p grid(%g, %c1, %c1) args(%y, %o : memref<?xf32>, memref<?xf32>)
        func.return
      }"""
    )
    o = zeros(128)
    run(text, o, 2, 1)
    assert o.tolist() == [1] * 128
    error = fails("trap-launch-size", run, text, o, 0, 1)
    assert "(0, 1, 1, 64, 1, 1)" in error.message
    read = text.replace(
        f"atlas.stg f32 %fone, %o[%i : i64] : {GLOBAL}", f"%v = atlas.ldg f32 %x[%zero : i64] : {GLOBAL}"
    )
    fails("trap-uninitialised", run, read, o, 1, 1)


def test_launches_that_are_refused():
    text = "atlas.program @p(%x: memref<?xf32>) {\n}"
    launch(text, [zeros(1)], (1, 1, 1), (1, 1, 1))
    fails("trap-launch-size", launch, text, [zeros(1)], (1, 1, 1), (1, 0, 1))
    fails("interpreter-launch-shape", launch, text, [zeros(1)], (1, 1, 1))
    fails("interpreter-launch-shape", launch, text, [zeros(1)], (1, 1), (1, 1, 1))
    error = fails("interpreter-no-program", launch, text, [zeros(1)], name="q")
    assert error.hint == "it has @p"
    fails("interpreter-argument-count", launch, text, [])


# Traps of single accesses


def test_out_of_range_names_the_lane():
    body = f"%v = atlas.ldg f32 %x[%i : i64] : {GLOBAL}"
    error = fails("trap-out-of-range", launch, program(body), [zeros(100), zeros(1)], (2, 1, 1))
    assert (
        "index (100) is out of range for an array of shape (100) in lane (36, 0, 0) of block (1, 0, 0)" in error.message
    )
    assert error.where is not None
    negative = f"""
      %j = atlas.sub i64 %i, %one
      atlas.stg f32 %fone, %x[%j : i64] : {GLOBAL}"""
    error = fails("trap-out-of-range", launch, program(negative), [zeros(100), zeros(1)])
    assert "index (-1)" in error.message
    two = "%v = atlas.lds f32 %s[%one, %l : i64, i64] : memref<2x32xf32, #atlas.space<shared>>"
    body = "%s = atlas.alloca : memref<2x32xf32, #atlas.space<shared>>\n" + two
    assert "index (1, 32)" in fails("trap-out-of-range", launch, program(body), [zeros(1), zeros(1)]).message


def test_inactive_lanes_do_not_trap():
    body = f"""
      %n = memref.dim %x, %first : {GLOBAL}
      %m = arith.index_cast %n : index to i64
      %p = atlas.setcc lt i64 %i, %m
      atlas.if %p {{
        %v = atlas.ldg f32 %x[%i : i64] : {GLOBAL}
        %q = atlas.div i64 %one, %p64
        atlas.stg f32 %v, %o[%i : i64] : {GLOBAL}
      }}"""
    divisor = """
      %first = arith.constant 0 : index
      %five = atlas.mov_imm 5 : i64
      %below = atlas.setcc lt i64 %i, %five
      %p64 = atlas.cvt bool to i64 %below
"""
    o = zeros(64)
    launch(program(divisor + body), [np.arange(5, dtype=np.float32), o])
    assert o[:5].tolist() == [0, 1, 2, 3, 4]


def test_division_by_zero_names_the_values():
    body = "%q = atlas.div i64 %one, %l"
    error = fails("trap-division", launch, program(body), [zeros(1), zeros(1)])
    assert error.message == (
        "@p: 'atlas.div': integer division by zero in lane (0, 0, 0) of block (0, 0, 0); a = 1, b = 0"
    )


def test_uninitialised_shared_and_local_memory():
    for space, load in (("shared", "lds"), ("local", "ldl")):
        type = f"memref<64xf32, #atlas.space<{space}>>"
        body = f"%s = atlas.alloca : {type}\n%v = atlas.{load} f32 %s[%l : i64] : {type}"
        error = fails("trap-uninitialised", launch, program(body), [zeros(1), zeros(1)])
        assert "element (0) of the array is read before it is written in lane (0, 0, 0)" in error.message


def test_misaligned_arrays():
    raw = np.zeros(4 * 65 + 1, np.uint8)
    x: Any = raw[1:261].view(np.float32)
    body = f"%v = atlas.ldg f32 %x[%i : i64] : {GLOBAL}"
    if not x.flags.aligned:
        error = fails("trap-misaligned", launch, program(body), [x, zeros(1)])
        assert "not aligned to 4 bytes" in error.message
    records = np.zeros(65, np.dtype([("pad", "u1"), ("value", "<f4")]))
    fails("trap-misaligned", launch, program(body), [records["value"], zeros(1)])


def test_read_only_arrays():
    x = zeros(64)
    x.flags.writeable = False
    body = f"atlas.stg f32 %fone, %x[%i : i64] : {GLOBAL}"
    fails("interpreter-read-only", launch, program(body), [x, zeros(1)])


def test_unknown_operations_and_axes():
    fails("interpreter-operation", launch, program("ub.unreachable"), [zeros(1), zeros(1)])
    body = f"%c = arith.constant 3 : index\n%d = memref.dim %x, %c : {GLOBAL}"
    fails("interpreter-dim", launch, program(body), [zeros(1), zeros(1)])


# Races


def race(body: str, *args: Any, grid: int = 1) -> str:
    return fails("trap-race", launch, program(body), args or [zeros(64), zeros(64)], (grid, 1, 1)).message


def test_two_stores_to_one_element():
    message = race(f"atlas.stg f32 %fone, %o[%zero : i64] : {GLOBAL}")
    assert "element (0)" in message
    assert "it is written at once by lane (63, 0, 0)" in message


def test_a_store_after_anothers_load_and_the_other_way():
    neighbour = "%sixty = atlas.mov_imm 63 : i64\n%j = atlas.sub i64 %sixty, %l\n"
    load, store = f"%v = atlas.ldg f32 %o[%j : i64] : {GLOBAL}\n", f"atlas.stg f32 %fone, %o[%l : i64] : {GLOBAL}\n"
    assert "it was read by lane (63, 0, 0)" in race(neighbour + load + store)
    assert "it was written by lane (63, 0, 0)" in race(neighbour + store + load)
    o = zeros(64)
    launch(program(neighbour + load + "atlas.bar.sync 0\n" + store), [o, o])
    launch(program(neighbour + store + "atlas.bar.sync 0\n" + load), [zeros(1), o])


def test_a_store_where_several_lanes_read():
    body = f"""
      %v = atlas.ldg f32 %o[%zero : i64] : {GLOBAL}
      %p = atlas.setcc eq i64 %l, %one
      atlas.if %p {{
        atlas.stg f32 %v, %o[%zero : i64] : {GLOBAL}
      }}"""
    assert "it was read by several lanes" in race(body)


def test_a_lane_does_not_race_with_itself():
    body = f"""
      %v = atlas.ldg f32 %o[%i : i64] : {GLOBAL}
      atlas.stg f32 %v, %o[%i : i64] : {GLOBAL}
      %w = atlas.ldg f32 %o[%i : i64] : {GLOBAL}
      atlas.stg f32 %fone, %o[%i : i64] : {GLOBAL}"""
    o = zeros(128)
    launch(program(body), [o, o], (2, 1, 1))
    assert o.tolist() == [1] * 128


@pytest.mark.parametrize("batch", [64, 1 << 14])
def test_blocks_are_never_ordered(monkeypatch: pytest.MonkeyPatch, batch: int):
    monkeypatch.setattr(launching, "BATCH_LANES", batch)
    first = "%p = atlas.setcc eq i64 %l, %zero\natlas.if %p {\n%S\n}\natlas.bar.sync 0\n"
    store = f"atlas.stg f32 %fone, %o[%zero : i64] : {GLOBAL}"
    load = f"%v = atlas.ldg f32 %o[%zero : i64] : {GLOBAL}"
    own = f"atlas.stg f32 %fone, %o[%b : i64] : {GLOBAL}"
    launch(program(first.replace("%S", own)), [zeros(1), zeros(3)], (3, 1, 1))
    launch(program(first.replace("%S", load)), [zeros(1), zeros(3)], (3, 1, 1))
    assert "of block (0, 0, 0)" in race(first.replace("%S", store), grid=3)
    race(first.replace("%S", load) + first.replace("%S", own).replace("%p", "%q"), grid=3)
    race(first.replace("%S", own) + first.replace("%S", load).replace("%p", "%q"), grid=3)


def test_arguments_that_overlap_share_memory():
    x = zeros(65)
    body = f"""
      atlas.stg f32 %fone, %o[%i : i64] : {GLOBAL}
      %v = atlas.ldg f32 %x[%i : i64] : {GLOBAL}"""
    race(body, x[:64], x[1:])
    launch(program(body), [x[:64], x[:64]])
    launch(program(body), [zeros(64), x])
    wide = x[:64].view(np.float64)
    text = program(
        "%d = atlas.mov_imm 2.0 : f64\natlas.stg f64 %d, %o[%zero : i64] : memref<?xf64>\n"
        f"%v = atlas.ldg f32 %x[%l : i64] : {GLOBAL}", f"%x: {GLOBAL}, %o: memref<?xf64>", "block [1, 1, 1]",
    )  # fmt: skip
    launch(text, [x[:64], wide])
    halves = text.replace("atlas.stg f64 %d, %o[%zero", "atlas.stg f64 %d, %o[%l").replace("[1, 1, 1]", "[2, 1, 1]")
    fails("trap-race", launch, halves, [x[:64], wide])
    strided = zeros(128)
    launch(program(body), [strided[1::2], strided[::2]])


# Barriers


def test_a_barrier_that_some_lanes_do_not_reach():
    body = "%p = atlas.setcc eq i64 %l, %zero\natlas.if %p {\natlas.bar.sync 0\n}"
    error = fails("trap-barrier", launch, program(body), [zeros(1), zeros(1)])
    assert (
        "it is reached in lane (0, 0, 0) of block (0, 0, 0), but not in lane (1, 0, 0) of block (0, 0, 0)"
        in error.message
    )
    loop = "%n = atlas.cvt i64 to i32 %l\natlas.loop %n : i32 {\n^bb0(%k: i32):\natlas.bar.sync 0\n}"
    fails("trap-barrier", launch, program(loop), [zeros(1), zeros(1)])


def test_a_barrier_that_whole_blocks_reach():
    body = "%p = atlas.setcc eq i64 %b, %zero\natlas.if %p {\natlas.bar.sync 0\n}"
    launch(program(body), [zeros(1), zeros(1)], (3, 1, 1))
    loop = "%n = atlas.cvt i64 to i32 %b\natlas.loop %n : i32 {\n^bb0(%k: i32):\natlas.bar.sync 0\n}"
    launch(program(loop), [zeros(1), zeros(1)], (3, 1, 1))


def test_exited_lanes_count_at_barriers():
    exits = "%p = atlas.setcc eq i64 %l, %zero\natlas.if %p {\natlas.exit\n}\natlas.bar.sync 0"
    launch(program(exits), [zeros(1), zeros(1)])
    late = "%p = atlas.setcc eq i64 %l, %zero\natlas.if %p {\natlas.bar.sync 0\n} else {\natlas.exit\n}"
    launch(program(late), [zeros(1), zeros(1)])


# Assertions


def test_assertions_name_the_lane_and_the_values():
    body = """
      %n = atlas.mov_imm 40 : i64
      %p = atlas.setcc lt i64 %i, %n
      %q = atlas.setcc lt i64 %i, %one
      atlas.if %q {
        atlas.assert %p, "below forty" values(%i : i64)
      }
      atlas.assert %p, "below forty" values(%i, %n : i64, i64)"""
    error = fails("trap-assert", launch, program(body), [zeros(1), zeros(1)])
    assert error.message == ("@p: 'atlas.assert': below forty in lane (40, 0, 0) of block (0, 0, 0); %i = 40, %n = 40")
