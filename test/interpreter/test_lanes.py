"""Lane programs: registers, memory, control flow, barriers, and each trap."""

from __future__ import annotations

import numpy as np
import pytest

import hologram.interpreter.lanes.launch as launching
from interpreter.running import GLOBAL, SHARED, fails, launch, program, run, zeros

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
