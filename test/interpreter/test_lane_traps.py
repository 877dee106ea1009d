"""The events that stop lane programs: traps, races, barriers and assertions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram.interpreter.lanes.launch as launching
from interpreter.running import GLOBAL, fails, launch, program, zeros

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
