"""Memory of blocks that is larger than any stack is on the heap; it is an error if there is no memory."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import hologram

LARGE = 1 << 24
"""Elements of arrays that are larger than a stack."""


def test_blocks_of_many_lanes():
    text = """
    atlas.program @p(%x: memref<?xi32>, %n: i32) {
      %i = atlas.special gid : i64
      %v = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
      %q = atlas.div u32 %v, %n
      atlas.bar.sync 0
      %r = atlas.add u32 %q, %v
      atlas.stg u32 %r, %x[%i : i64] : memref<?xi32>
    }
    """
    kernel = hologram.compile(text)
    for lanes in (1, 3, 4_000_000):
        x = np.arange(lanes, dtype=np.int32)
        kernel(x, 3, 1, 1, 1, lanes, 1, 1)
        assert np.array_equal(x, np.arange(lanes) // 3 + np.arange(lanes))
    with pytest.raises(hologram.LaunchError, match="no memory for the arrays of a block"):
        kernel(x[:1], 1, 1, 1, 1, 1 << 20, 1 << 20, 1 << 10)


@pytest.mark.skipif(sys.platform != "linux", reason="memory in use is read from /proc")
def test_a_trap_gives_back_what_the_block_had():
    text = """
    atlas.program @p(%x: memref<?xi32>, %n: i32) {
      %i = atlas.special gid : i64
      %v = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
      %e = atlas.mul u32 %v, %v
      %q = atlas.div u32 %e, %v
      atlas.bar.sync 0
      %s = atlas.div u32 %q, %n
      atlas.stg u32 %s, %x[%i : i64] : memref<?xi32>
    }
    """
    kernel = hologram.compile(text)
    x = np.ones(1_000_000, np.int32)
    kernel(x, 1, 1, 1, 1, len(x), 1, 1)
    before = pages_in_use()
    for _ in range(20):
        with pytest.raises(hologram.TrapError, match="division by zero"):
            kernel(x, 0, 1, 1, 1, len(x), 1, 1)
    assert pages_in_use() - before < 10_000


def pages_in_use() -> int:
    """The number of pages of 4 KiB that are in main memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])


@pytest.mark.parametrize("space", ["shared", "local"])
def test_large_arrays(space: str):
    letter, type = space[0], f"memref<{LARGE}xi32, #atlas.space<{space}>>"
    text = f"""
    atlas.program @p(%x: memref<?xi32>) block [2, 1, 1] {{
      %s = atlas.alloca : {type}
      %i = atlas.special gid : i64
      %lane = atlas.special lane.x : i32
      %n = atlas.mov_imm {LARGE // 2} : i32
      %one = atlas.mov_imm 1 : i32
      atlas.loop %n : i32 {{
      ^bb0(%k: i32):
        %two = atlas.shl u32 %k, %one
        %at32 = atlas.add u32 %two, %lane
        %at = atlas.cvt u32 to u64 %at32
        %kk = atlas.mul u32 %k, %at32
        atlas.st{letter} u32 %kk, %s[%at : i64] : {type}
        atlas.yield
      }}
      %v = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
      %from = atlas.cvt u32 to u64 %v
      %w = atlas.ld{letter} u32 %s[%from : i64] : {type}
      atlas.stg u32 %w, %x[%i : i64] : memref<?xi32>
    }}
    """
    x = np.array([0, LARGE - 1, 6, 9], np.int32)
    hologram.compile(text)(x, 2, 1, 1)
    expected = [at // 2 * at % 2**32 for at in (0, LARGE - 1, 6, 9)]
    assert x.view(np.uint32).tolist() == expected
