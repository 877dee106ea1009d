"""Blocks in parallel whose lanes look at what atomics found: any order is right, none is promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram.lowering.processor.outline_parallel_loops import parallel_callee
from hologram.runtime.devices.cpu.pool import Pool
from stages import parse, run_passes

COUNT, BLOCK, BINS = 24_576, 64, 7

SLOTS = """
  %v = atlas.ldg i32 %x[%i : i64] : memref<?xi32>
  %bin = atlas.cvt i32 to i64 %v
  %slot = atlas.atom.add i32 %one, %a[%bin : i64] : memref<?xi32>
  %s = atlas.cvt u32 to u64 %slot
  %size = atlas.mov_imm 24576 : i64
  %row = atlas.mul i64 %bin, %size
  %at = atlas.add i64 %row, %s
  atlas.stg i32 %i32, %y[%at : i64] : memref<?xi32>"""
LIST = """
  %next = atlas.atom.exch i32 %i32, %a[%zero : i64] : memref<?xi32>
  atlas.stg i32 %next, %y[%i : i64] : memref<?xi32>"""
COMPARED = """
  %seen = atlas.ldg i32 %x[%i : i64] : memref<?xi32>
  %minus = atlas.mov_imm -1 : i32
  %place = atlas.cvt u32 to u64 %seen
  %old = atlas.atom.cas i32 %minus, %i32, %a[%place : i64] : memref<?xi32>
  %won = atlas.setcc eq i32 %old, %minus
  %flag = atlas.cvt bool to i32 %won
  atlas.stg i32 %flag, %y[%i : i64] : memref<?xi32>"""
FLOATS = """
  %v = atlas.ldg i32 %x[%i : i64] : memref<?xi32>
  %f = atlas.cvt i32 to f32 %v
  %old = atlas.atom.add f32 %f, %b[%zero : i64] : memref<?xf32>"""


def text(body: str) -> str:
    arguments = "%x: memref<?xi32>, %y: memref<?xi32>, %a: memref<?xi32>, %b: memref<?xf32>"
    return f"""
func.func @main({arguments}) {{
  %one = arith.constant 1 : index
  %blocks = arith.constant {COUNT // BLOCK} : index
  atlas.launch @p grid(%blocks, %one, %one)
    args(%x, %y, %a, %b : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf32>)
  func.return
}}
atlas.program @p({arguments}) block [{BLOCK}, 1, 1] {{
  %i = atlas.special gid : i64
  %i32 = atlas.cvt u64 to i32 %i
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i32{body}
}}"""


def result(body: str, start: int, size: int) -> tuple[Any, Any, Any, Any]:
    """The arrays behind a run on several threads: inputs, outputs, what was updated, and the float."""
    module = parse(text(body))
    run_passes(module, "hologram-to-cpu{to=threads}")
    assert any(parallel_callee(op) for op in module.walk())
    rng = np.random.default_rng(3)
    x = rng.integers(0, BINS, COUNT).astype(np.int32)
    y, a, b = np.full(size, -1, np.int32), np.full(BINS, start, np.int32), np.zeros(1, np.float32)
    hologram.compile(text(body), opt_level=1, cache=False)(x, y, a, b)
    return x, y, a, b[0]


@pytest.fixture(autouse=True)
def threads(eager: Pool) -> None:
    hologram.set_num_threads(4)


def test_a_histogram_with_slots():
    """Stream compaction: each bin's lanes in some order, each once, without holes."""
    x, y, counts, _ = result(SLOTS, 0, BINS * COUNT)
    assert counts.tolist() == np.bincount(x, minlength=BINS).tolist()
    for number, row in enumerate(y.reshape(BINS, COUNT)):
        assert np.sort(row[: counts[number]]).tolist() == np.flatnonzero(x == number).tolist()
        assert (row[counts[number] :] == -1).all()


def test_a_list_of_exchanges():
    """Each lane hangs in front of who came before: from the last, the list leads through all."""
    _, after, last, _ = result(LIST, -1, COUNT)
    seen: list[int] = []
    at = int(last[0])
    while at != -1:
        seen.append(at)
        at = int(after[at])
    assert sorted(seen) == list(range(COUNT))


def test_one_lane_wins_each_place():
    x, won, winners, _ = result(COMPARED, -1, COUNT)
    assert sorted(np.flatnonzero(won).tolist()) == sorted(winners.tolist())
    assert x[winners].tolist() == list(range(BINS))


def test_sums_of_floats():
    """Whole numbers, so that every order gives the same sum."""
    x, *_, total = result(FLOATS, 0, 1)
    assert total == x.sum()
