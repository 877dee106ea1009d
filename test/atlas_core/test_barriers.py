"""Barriers in loops of unknown length, where lanes exit and others go on."""

from __future__ import annotations

import numpy as np
import pytest

import hologram
from hologram.errors import TrapError
from state_programs import compare, program, reference

ROUNDS = """%s = atlas.alloca : memref<4xi32, #atlas.space<shared>>
  %l = atlas.special lane.x : i32
  %l64 = atlas.cvt u32 to u64 %l
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %three = atlas.mov_imm 3 : i32
  %opposite = atlas.sub u32 %three, %l
  %o64 = atlas.cvt u32 to u64 %opposite
  %limit = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
  atlas.sts u32 %zero, %s[%l64 : i64] : memref<4xi32, #atlas.space<shared>>
  %r = atlas.repeat iter(%zero : i32) -> (i32) {
  ^bb0(%k: i32):
    %k1 = atlas.add u32 %k, %one
    atlas.sts u32 %k1, %s[%l64 : i64] : memref<4xi32, #atlas.space<shared>>
    atlas.bar.sync 0
    %v = atlas.lds u32 %s[%o64 : i64] : memref<4xi32, #atlas.space<shared>>
    %w = atlas.add u32 %v, %l
    atlas.stg u32 %w, %y[%i : i64] : memref<?xi32>
    %stop = atlas.setcc eq u32 %k1, %limit
    atlas.if %stop {
      atlas.exit
    }
    atlas.bar.sync 1
    %end = atlas.mov_imm 6 : i32
    %more = atlas.setcc MORE
    atlas.yield %more, %k1, %w : i1, i32, i32
  }
  %hundred = atlas.mov_imm 100 : i32
  %sum = atlas.add u32 %r, %hundred
  atlas.bar.sync 2
  atlas.stg u32 %sum, %y[%i : i64] : memref<?xi32>"""


def rounds(more: str) -> str:
    return program("%x: memref<?xi32>, %y: memref<?xi32>", ROUNDS.replace("MORE", more), grid=3, block=4)


@pytest.mark.parametrize("limits", [[1, 2, 3, 4] * 3, [9, 9, 9, 9, 1, 9, 2, 9, 1, 1, 1, 1], [6] * 12])
def test_lanes_exit_and_others_go_on(limits: list[int]):
    """Each round a lane sees what its opposite stored, which is the last of those that it did."""
    x, y = np.array(limits, np.int32), np.zeros(12, np.int32)
    compare(rounds("lt u32 %k1, %end"), x, y)
    for i, limit in enumerate(limits):
        lane, ran = i % 4, min(limit, 6)
        opposite = min(limits[i - lane + 3 - lane], ran)
        assert y[i] == opposite + lane + (100 if limit > 6 else 0)


def test_lanes_that_disagree():
    """Half the lanes of a block leave the loop, and the others would wait for them."""
    text = rounds("lt u32 %l, %one")
    x = np.full(12, 9, np.int32)
    with pytest.raises(TrapError, match="lanes of a block leave a loop with a barrier that others stay in"):
        hologram.compile(text)(x, np.zeros(12, np.int32))
    with pytest.raises(TrapError) as caught:
        reference(text, [x, np.zeros(12, np.int32)])
    assert caught.value.code == "trap-barrier"
