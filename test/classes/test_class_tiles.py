"""Tiles of class memory as memrefs: what the host sees, by the interpreter and on the CPU; places out of range."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import hologram
from fuzz.counts import PROGRAMS
from hologram import classes
from hologram.errors import TrapError
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState
from stages import parse, run_passes

MAPS = "[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]"
ADD = f"""
func.func @f(%c: i32, %page: i32) {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = class.tile %zero : i32 to memref<3072xf32>
  %b = class.tile %one : i32 to memref<3072xf32>
  %d = class.tile %c : i32 to memref<3072xf32>
  atlas.map ins(%a, %b : memref<3072xf32>, memref<3072xf32>) outs(%d : memref<3072xf32>) maps {MAPS} {{
  ^bb0(%x: f32, %y: f32):
    %s = atlas.add f32 %x, %y
    atlas.yield %s : f32
  }}
  %p = class.tile %c, %page : i32 to memref<16x8xi16>
  %i = arith.constant 3 : index
  %v = arith.constant -7 : i16
  memref.store %v, %p[%i, %i] : memref<16x8xi16>
  func.return
}}"""


def filled() -> Any:
    return np.random.default_rng(1).normal(0, 1, classes.ARENA_BYTES // 4).astype(np.float32)


def expected(c: int, page: int) -> Any:
    whole = filled()
    tile = whole.reshape(96, -1)
    tile[c] = tile[0] + tile[1]
    whole.view(np.int16)[(c * 12288 + page * 256) // 2 + 27] = -7
    return whole


@pytest.mark.parametrize(("c", "page"), [(2, 0), (95, 47), (1, 5)])
def test_tiles(c: int, page: int):
    executor = hologram.Executor()
    executor.classes.bytes.view(np.float32)[:] = filled()
    executor.compile(ADD)(c, page)
    np.testing.assert_array_equal(executor.classes.bytes.view(np.float32), expected(c, page))
    state = AtlasState(filled().view(np.uint8))
    interpret(parse(ADD), None, [c, page], state=state)
    np.testing.assert_array_equal(state.classes.view(np.float32), expected(c, page))


def test_lowered_tiles_are_views():
    """The interpreter runs what convert-class-tiles makes, given the bytes as an argument."""
    module = parse(ADD)
    run_passes(module, "convert-class-tiles")
    assert "class." not in str(module).replace("class.tile:", "")
    memory = filled().view(np.int8)
    interpret(module, None, [7, 3, memory])
    np.testing.assert_array_equal(memory.view(np.float32), expected(7, 3))


@pytest.mark.parametrize(("c", "page", "what"), [(96, 0, "class"), (-1, 0, "class"), (3, 48, "page")])
def test_out_of_range(c: int, page: int, what: str):
    kernel = hologram.Executor().compile(ADD)
    for run in (kernel, lambda *a: interpret(parse(ADD), None, a)):  # pyright: ignore
        with pytest.raises(TrapError, match=f"class.tile'?: {what} out of the range of 0 to"):
            run(c, page)


def test_runs_of_classes():
    """A tile of three classes begins at class 93 at most."""
    text = """
func.func @f(%c: i8, %x: f64) {
  %t = class.tile %c : i8 to memref<4608xf64>
  %i = arith.constant 4607 : index
  memref.store %x, %t[%i] : memref<4608xf64>
  func.return
}"""
    executor = hologram.Executor()
    kernel = executor.compile(text)
    kernel(93, 2.5)
    assert executor.classes[95].view(np.float64)[-1] == 2.5
    with pytest.raises(TrapError, match="class out of the range of 0 to 93"):
        kernel(94, 1.0)


def test_arena_and_calls():
    """A function that is called takes class memory from its caller."""
    text = """
func.func @main(%x: memref<2xi8>) {
  func.call @swap(%x) : (memref<2xi8>) -> ()
  func.return
}
func.func private @swap(%x: memref<2xi8>) {
  %zero = arith.constant 0 : index
  %last = arith.constant 1179647 : index
  %bytes = class.arena : memref<1179648xi8>
  %a = memref.load %x[%zero] : memref<2xi8>
  %b = memref.load %bytes[%last] : memref<1179648xi8>
  memref.store %b, %x[%zero] : memref<2xi8>
  memref.store %a, %bytes[%last] : memref<1179648xi8>
  func.return
}"""
    executor = hologram.Executor()
    executor.classes.bytes[-1] = 9
    x = np.array([5, 6], np.int8)
    executor.compile(text)(x)
    assert x.tolist() == [9, 6]
    assert executor.classes.bytes[-1] == 5


def test_tiles_in_lane_programs():
    text = """
func.func @main() {
  %one = arith.constant 1 : index
  %n = arith.constant 96 : index
  atlas.launch @p grid(%n, %one, %one)
  func.return
}
atlas.program @p() block [1, 1, 1] {
  %c = atlas.cls.get
  %t = class.tile %c : i32 to memref<12288xi8>
  %gid = atlas.special gid : i64
  %small = atlas.cvt u32 to u8 %c
  atlas.stg u8 %small, %t[%gid : i64] : memref<12288xi8>
}"""
    executor = hologram.Executor()
    executor.compile(text)()
    assert [int(executor.classes[c][c]) for c in range(96)] == list(range(96))


def loops(rng: random.Random) -> str:
    """Loops that read and write tiles at places that may overlap."""
    places = [(rng.randrange(4), rng.choice((None, 0, 1))) for _ in range(4)]
    lines = ["func.func @f(%x: memref<64xf32>) {"]
    lines += [f"  %k{n} = arith.constant {n} : i32" for n in range(4)]
    lines += [f"  %n{n} = arith.constant {n} : index" for n in (0, 1, 3, 64)]
    types = list[str]()
    for number, (c, page) in enumerate(places):
        types.append("memref<64xf32>" if page is not None else "memref<3072xf32>")
        paged = "" if page is None else f", %k{page}"
        lines.append(f"  %t{number} = class.tile %k{c}{paged} : i32 to {types[-1]}")
    for step in range(3):
        a, b, target = (rng.randrange(4) for _ in range(3))
        out, kind = ("%x", "memref<64xf32>") if rng.random() < 0.5 else (f"%t{target}", types[target])
        lines += [
            f"  scf.for %i{step} = %n0 to %n{rng.choice((1, 3, 64))} step %n1 {{",
            f"    scf.for %j{step} = %n0 to %n64 step %n1 {{",
            f"      %v{step} = memref.load %t{a}[%j{step}] : {types[a]}",
            f"      %w{step} = memref.load %t{b}[%i{step}] : {types[b]}",
            f"      %s{step} = arith.subf %v{step}, %w{step} : f32",
            f"      memref.store %s{step}, {out}[%{rng.choice('ij')}{step}] : {kind}",
            "    }", "  }",
        ]  # fmt: skip
    return "\n".join([*lines, "  func.return", "}"])


def test_staging_changes_nothing():
    rng = random.Random(7)
    staged = 0
    for number in range(max(4, PROGRAMS // 250)):
        text = loops(rng)
        module = parse(text)
        run_passes(module, "stage-class-tiles{reuse=1 bytes=13000}")
        staged += str(module).count("memref.alloca")
        found = list[Any]()
        for form in (parse(text), module):
            state, x = AtlasState(filled().view(np.uint8).copy()), np.zeros(64, np.float32)
            interpret(form, None, [x], state=state)
            found.append((x, state.classes))
        for before, after in zip(*found, strict=True):
            np.testing.assert_array_equal(before, after)
        if number < 2:
            executor, x = hologram.Executor(), np.zeros(64, np.float32)
            executor.classes.bytes.view(np.float32)[:] = filled()
            executor.compile(str(module))(x)
            np.testing.assert_array_equal(x, found[0][0])
            np.testing.assert_array_equal(executor.classes.bytes, found[0][1])
    assert staged >= 3


LOADS = """
func.func @f(%c: i32, %page: i32, %x: tensor<3072xf32>) -> (tensor<3072xf32>, tensor<8x8xf32>) {
  %a = class.load %c : i32 to tensor<3072xf32>
  %s = hologram.add %a, %x : tensor<3072xf32>
  class.store %s, %c : tensor<3072xf32>, i32
  %p = class.load %c, %page : i32 to tensor<8x8xf32>
  %q = hologram.neg %p : tensor<8x8xf32>
  class.store %q, %c, %page : tensor<8x8xf32>, i32
  func.return %a, %p : tensor<3072xf32>, tensor<8x8xf32>
}"""


def test_loads_and_stores_of_tensors():
    """Each load is a copy of what class memory holds then."""
    x = np.arange(3072, dtype=np.float32)
    wanted = filled()
    tile = wanted.reshape(96, -1)[7]
    first = tile.copy()
    tile += x
    page = tile[2 * 64 : 3 * 64].copy()
    tile[2 * 64 : 3 * 64] *= -1
    executor, state = hologram.Executor(), AtlasState(filled().view(np.uint8))
    executor.classes.bytes.view(np.float32)[:] = filled()
    kernel, module = executor.compile(LOADS), parse(LOADS)
    for found, memory in (
        (kernel(7, 2, x), executor.classes.bytes), (interpret(module, None, [7, 2, x], state=state), state.classes)
    ):  # fmt: skip
        np.testing.assert_array_equal(found[0], first)
        np.testing.assert_array_equal(found[1], page.reshape(8, 8))
        np.testing.assert_array_equal(memory.view(np.float32), wanted)
    for run in (kernel, lambda *a: interpret(module, None, a)):  # pyright: ignore
        with pytest.raises(TrapError, match="page out of the range of 0 to 47"):
            run(0, 48, x)
