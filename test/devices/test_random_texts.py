"""Random kernels with barriers, loops and arrays as text, against lanes in lockstep: the same integers."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devices.texts import OpenCLKernels, WgslKernels, flat
from gpu_level.kernels import Size, bodies, kernel
from gpu_level.simulate import run_lanes
from gpu_level.test_convert_gpu_to_scf import BLOCKS, INPUT, REDUCTION, SWAP

pytestmark = pytest.mark.device
GRIDS = [(1, 1, 1), (2, 1, 1), (1, 2, 2)]
GUARDED = """
  %x = memref.load %in[%lane] : memref<?xi64>
  memref.store %x, %s[%lane] : memref<64xi64, #gpu.address_space<workgroup>>
  %ok = arith.cmpi ne, %lane, %c1 : index
  cf.assert %ok, "lane 1 ends"
  "gpu.barrier"() : () -> ()
  %o = arith.xori %lane, %c1 : index
  %y = memref.load %s[%o] : memref<64xi64, #gpu.address_space<workgroup>>
  %d = arith.remui %o, %c2 : index
  %e = arith.divui %o, %d : index
  %f = arith.index_cast %e : index to i64
  %z = arith.addi %y, %f : i64
  memref.store %z, %out[%gid] : memref<?xi64>
"""
"""A lane that ends before a barrier, and would divide by zero and store after it."""


def expected(text: str, grid: Size, block: Size) -> tuple[int, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    count = int(np.prod(grid) * np.prod(block))
    out = np.zeros(count, np.int64)
    with np.errstate(over="ignore"):
        run_lanes(text, "kernel", grid, block, INPUT, out, 8)
    return count, out


def renamed(text: str) -> str:
    """`kernel` is a word of OpenCL C."""
    return text.replace('sym_name = "kernel"', 'sym_name = "lanes"').replace("@device::@kernel", "@device::@lanes")


def on_opencl(text: str, grid: Size, block: Size, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    kernels = OpenCLKernels(flat(renamed(text), "flatten-kernels,canonicalize,cse"))
    assert not kernels.log.strip()
    got = np.zeros(count, np.int64)
    lanes = tuple(g * b for g, b in zip(grid, block, strict=True))
    kernels("lanes", [INPUT.copy(), got], [np.uint64(8)], lanes, block)
    return got


def on_webgpu(text: str, grid: Size, count: int, limb: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    passes = f"flatten-kernels,split-wide-integers{{limb={limb}}},canonicalize,cse"
    kernels = WgslKernels(flat(text, passes), frozenset({"i64"} if limb == 64 else ()))
    got = np.zeros(count, np.int64)
    kernels("kernel", [INPUT.copy(), got], struct.pack("<I", 8), count, grid)
    return got


@given(bodies(), st.sampled_from(BLOCKS), st.sampled_from(GRIDS))
@settings(max_examples=25, deadline=None)
def test_opencl(body: str, block: Size, grid: Size) -> None:
    text = kernel(body, grid, block, sizes="known")
    count, want = expected(text, grid, block)
    assert on_opencl(text, grid, block, count).tolist() == want.tolist()


@pytest.mark.parametrize("limb", [64, 32])
@given(bodies(), st.sampled_from(BLOCKS), st.sampled_from(GRIDS))
@settings(max_examples=5, deadline=None)
def test_webgpu(limb: int, body: str, block: Size, grid: Size) -> None:
    text = kernel(body, grid, block, sizes="known")
    count, want = expected(text, grid, block)
    assert on_webgpu(text, grid, count, limb).tolist() == want.tolist()


@pytest.mark.parametrize("body", [REDUCTION, SWAP], ids=["reduction", "swap"])
def test_fixed_kernels(body: str) -> None:
    text = kernel(body, (2, 1, 1), (8, 1, 1), sizes="known")
    count, want = expected(text, (2, 1, 1), (8, 1, 1))
    assert on_opencl(text, (2, 1, 1), (8, 1, 1), count).tolist() == want.tolist()
    for limb in (64, 32):
        assert on_webgpu(text, (2, 1, 1), count, limb).tolist() == want.tolist()


def test_a_lane_that_ends_before_a_barrier_harms_nobody() -> None:
    text = kernel(GUARDED, (1, 1, 1), (2, 1, 1), sizes="known")
    want = [int(INPUT[1]) + 1, 0]
    assert on_opencl(text, (1, 1, 1), (2, 1, 1), 2).tolist() == want
    for limb in (64, 32):
        assert on_webgpu(text, (1, 1, 1), 2, limb).tolist() == want
