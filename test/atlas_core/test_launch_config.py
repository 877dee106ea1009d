"""The shape of a launch, given with it; shared memory that the launch sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import LaunchConfig
from hologram.errors import LaunchError, TrapError
from hologram.runtime.entry import Entry, parse_entries
from state_programs import reference

REVERSE = """
atlas.program @reverse(%x: memref<?xTYPE>, %n: i64){BLOCK} {
  %s = atlas.alloca : memref<?xTYPE, #atlas.space<shared>>
  %i = atlas.special gid : i64
  %l32 = atlas.special lane.x : i32
  %b32 = atlas.special lanes.x : i32
  %one = atlas.mov_imm 1 : i32
  %last = atlas.sub u32 %b32, %one
  %o32 = atlas.sub u32 %last, %l32
  %l = atlas.cvt u32 to u64 %l32
  %other = atlas.cvt u32 to u64 %o32
  %inside = atlas.setcc lt u64 %i, %n
  atlas.if %inside {
    %v = atlas.ldg TYPE %x[%i : i64] : memref<?xTYPE>
    atlas.sts TYPE %v, %s[%l : i64] : memref<?xTYPE, #atlas.space<shared>>
  }
  atlas.bar.sync 0
  atlas.if %inside {
    %w = atlas.lds TYPE %s[%other : i64] : memref<?xTYPE, #atlas.space<shared>>
    atlas.stg TYPE %w, %x[%i : i64] : memref<?xTYPE>
  }
}
"""


def reverse(dtype: str = "f32", block: str = "") -> str:
    """Each block turns its elements round, in shared memory that the launch sizes."""
    return REVERSE.replace("TYPE", dtype).replace("{BLOCK}", block)


def turned(x: Any, block: int) -> Any:
    return x.reshape(-1, block)[:, ::-1].ravel()


@pytest.mark.parametrize(("dtype", "numpy"), [("f32", "f4"), ("i8", "i1"), ("f64", "f8")])
def test_the_launch_sizes_shared_memory(dtype: str, numpy: str):
    kernel = hologram.compile(reverse(dtype))
    for block, grid in ((1, 3), (7, 2), (64, 5)):
        x = np.arange(block * grid).astype(numpy)
        found = x.copy()
        config = LaunchConfig((grid, 1, 1), (block, 1, 1), block * x.itemsize)
        launch = kernel.launch(found, x.size, config=config)
        assert launch.result is None
        assert np.array_equal(found, turned(x, block))
        sizes = (grid, 1, 1, block, 1, 1, block * x.itemsize)
        kernel(found, x.size, *sizes)
        assert np.array_equal(found, x)
        host = hologram.compile(reverse(dtype))
        assert [a.name for a in host.arguments[2:]] == [
            "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes"
        ]  # fmt: skip


def test_the_interpreter_does_the_same():
    main = """
func.func @main(%x: memref<?xf32>, %n: i64, %bytes: index) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  atlas.launch @reverse grid(%two, %one, %one) shared(%bytes) args(%x, %n : memref<?xf32>, i64)
  func.return
}
"""
    text = main + reverse(block=" block [4, 1, 1]")
    for bytes in (16, 19, 15, 0):
        x, y = np.arange(8, dtype=np.float32), np.arange(8, dtype=np.float32)
        kernel = hologram.compile(text)
        if bytes >= 16:
            kernel(x, 8, bytes)
            reference(text, [y, np.int64(8), np.int64(bytes)])
            assert x.tolist() == y.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]
            continue
        with pytest.raises(TrapError, match="index out of range"):
            kernel(x, 8, bytes)
        with pytest.raises(TrapError, match="out of range"):
            reference(text, [y, np.int64(8), np.int64(bytes)])


def test_too_many_bytes():
    kernel = hologram.compile(reverse())
    with pytest.raises(TrapError, match=r"2\^31 or more shared bytes"):
        kernel(np.zeros(1, np.float32), 1, 1, 1, 1, 1, 1, 1, 1 << 31)


def test_no_bytes_are_no_elements():
    """A launch that says none may not touch the array."""
    kernel = hologram.compile(reverse())
    kernel.launch(np.zeros(1, np.float32), 0, config=LaunchConfig.linear(1))
    with pytest.raises(TrapError, match="index out of range"):
        kernel.launch(np.zeros(1, np.float32), 1, config=LaunchConfig.linear(1))


def test_grids_of_two_axes():
    text = """
atlas.program @mark(%x: memref<?x?xi32>) {
  %bx = atlas.special block.x : i32
  %by = atlas.special block.y : i32
  %lx = atlas.special lane.x : i32
  %ly = atlas.special lane.y : i32
  %sx = atlas.special lanes.x : i32
  %sy = atlas.special lanes.y : i32
  %x0 = atlas.mad u32 %bx, %sx, %lx
  %y0 = atlas.mad u32 %by, %sy, %ly
  %i = atlas.cvt u32 to u64 %y0
  %j = atlas.cvt u32 to u64 %x0
  %g = atlas.special gid : i64
  %v = atlas.cvt u64 to u32 %g
  atlas.stg u32 %v, %x[%i, %j : i64, i64] : memref<?x?xi32>
}
"""
    x = np.full((32, 48), -1, np.int32)
    config = LaunchConfig.grid_2d(48, 32)
    hologram.compile(text).launch(x, config=config)
    assert sorted(x.ravel()) == list(range(config.total_threads))
    assert x[0, 16] == 256


ASSEMBLY = """
.program swap(buf0: f32[?]) {
  .shared shared0: f32[?]
  cvt.u64.u32 r4, r252
  mov_imm.u64 r5, 4
  mul.u64 r6, r4, r5
  ldg.f32 r0, [buf0 + r6]
  sts.f32 [shared0 + r6], r0
  bar.sync 0
  lds.f32 r2, [shared0 + r6]
  add.f32 r2, r2, r2
  stg.f32 [buf0 + r6], r2
  exit
}
"""


def test_assembly():
    x = np.arange(5, dtype=np.float32)
    kernel = hologram.compile(ASSEMBLY)
    kernel.launch(x, config=LaunchConfig((1, 1, 1), (5, 1, 1), 20))
    assert x.tolist() == [0, 2, 4, 6, 8]
    with pytest.raises(TrapError, match="index out of range|out of range"):
        kernel.launch(x, config=LaunchConfig((1, 1, 1), (5, 1, 1), 16))


def test_what_does_not_fit():
    fixed = hologram.compile("atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {\n}")
    x = np.zeros(3, np.float32)
    assert fixed.launch(x, config=LaunchConfig.linear(9, block=4)).result is None
    host = hologram.compile("func.func @main(%x: memref<?xf32>) {\n  func.return\n}")
    for kernel, args, config, text in (
        (fixed, (x,), LaunchConfig.linear(9), r"a block of \(4, 1, 1\), and config= says \(256, 1, 1\)"),
        (fixed, (), LaunchConfig.linear(9, block=4), "takes 1 argument beside config=, found 0"),
        (fixed, (x, 1, 1, 1), LaunchConfig.linear(9, block=4), "takes 1 argument beside config=, found 4"),
        (fixed, (x,), LaunchConfig((1, 1, 1), (4, 1, 1), 8), "no shared array without a length"),
        (host, (x,), LaunchConfig.linear(9), "says itself how it launches programs"),
    ):
        with pytest.raises(LaunchError, match=text):
            kernel.launch(*args, config=config)
    with pytest.raises(LaunchError, match="too many for 64 bits"):
        LaunchConfig((2**32 - 1, 2**32 - 1, 1), (2, 1, 1))
    with pytest.raises(LaunchError, match=r"from 0 to 2\^31 - 1"):
        LaunchConfig((1, 1, 1), (1, 1, 1), 1 << 31)


def entry_of(kernel: Any) -> Entry:
    return kernel._entry


def test_the_entry_record_says_which_arguments_are_sizes():
    import json

    entry = entry_of(hologram.compile(reverse(block=" block [4, 1, 1]")))
    assert entry.shape is not None
    assert entry.shape.block == (4, 1, 1)
    assert entry.shape.names == {"grid_x", "grid_y", "grid_z", "shared_bytes"}
    record = entry.to_json()
    assert parse_entries(json.dumps([record])) == (entry,)
    damages: list[Any] = [[], *({"grid": grid, "block": [1, 1, 1]} for grid in ([1, 1], ["n", 1, "no"], [1, 1, 1.5]))]
    for damage in damages:
        with pytest.raises(hologram.errors.InputError, match="the entry record is damaged"):
            parse_entries(json.dumps([record | {"shape": damage}]))
