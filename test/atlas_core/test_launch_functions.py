"""Programs without a host function run by the one they get."""

from __future__ import annotations

import numpy as np
import pytest

import hologram

SCALE = """
atlas.program @scale(%x: memref<?xf32>, %k: f32, %n: i64) {
  %i = atlas.special gid : i64
  %inside = atlas.setcc lt u64 %i, %n
  atlas.if %inside {
    %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
    %r = atlas.mul f32 %v, %k
    atlas.stg f32 %r, %x[%i : i64] : memref<?xf32>
  }
}
"""


def test_the_launch_is_given_with_the_call():
    kernel = hologram.compile(SCALE)
    sizes = [f"{group}_{axis}" for group in ("grid", "block") for axis in "xyz"]
    assert [a.name for a in kernel.arguments] == ["x", "k", "n", *sizes]
    x = np.arange(100, dtype=np.float32)
    kernel(x, 2.0, 90, 2, 1, 1, 50, 1, 1)
    expected = np.arange(100, dtype=np.float32)
    expected[:90] *= 2
    assert np.array_equal(x, expected)


@pytest.mark.parametrize("size", [0, -1])
def test_a_size_below_one_traps(size: int):
    with pytest.raises(hologram.errors.TrapError, match="a size of the launch is zero or less"):
        hologram.compile(SCALE)(np.zeros(1, np.float32), 2.0, 1, size, 1, 1, 1, 1, 1)


def test_a_program_of_several_blocks():
    text = SCALE.replace("atlas.if %inside {", "atlas.bra %inside, ^then, ^end\n^then:").replace(
        "memref<?xf32>\n  }\n}", "memref<?xf32>\n    atlas.bra ^end\n^end:\n    atlas.exit\n}"
    )
    x = np.ones(8, np.float32)
    hologram.compile(text)(x, 3.0, 5, 1, 1, 1, 8, 1, 1)
    assert x.tolist() == [3.0] * 5 + [1.0] * 3
