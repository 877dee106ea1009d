"""Memory that programs take while they run: none to be had, and given back where they leave early."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.errors import LaunchError, TrapError

TIMES = 8
F32 = np.float32
TWO_BUFFERS = """
func.func @main(%x: memref<?xf32>, %n: index, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<20000000xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %t[%i] : memref<20000000xf32>
  %m = memref.alloc(%n, %n) : memref<?x?xf32>
  memref.store %v, %m[%i, %i] : memref<?x?xf32>
  %w = memref.load %m[%j, %j] : memref<?x?xf32>
  %u = memref.load %t[%j] : memref<20000000xf32>
  %s = arith.addf %w, %u : f32
  memref.store %s, %x[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?x?xf32>
  memref.dealloc %t : memref<20000000xf32>
  func.return
}"""
"""Stored at one place and loaded from another that is the same, as nobody knows: buffers that LLVM can't do without."""


def mapped() -> int:
    """The bytes of this process's address space in use."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * 4096


def check_nothing_leaks(run: Callable[[], None], bytes: int) -> None:
    """Check that several runs together leave less memory behind than one run takes."""
    run()
    if not sys.platform.startswith("linux"):
        return
    before = mapped()
    for _ in range(TIMES):
        run()
    assert mapped() - before < bytes


@pytest.mark.parametrize("size", [1 << 24, 1 << 32, (1 << 63) - 1])
def test_no_memory_is_an_error_and_no_leak(size: int) -> None:
    """Sizes whose product is more than there is, and more than a word can tell."""
    kernel = hologram.compile(TWO_BUFFERS)
    x = np.ones(3, F32)

    def run() -> None:
        with pytest.raises(LaunchError, match=r"no memory for memref\.alloc, which needs .*\d+ bytes") as caught:
            kernel(x, size, 1, 1)
        assert caught.value.code == "launch-memory"
        assert caught.value.where is not None
        assert caught.value.where.line == 7
        assert (f"{4 * size * size} bytes" in caught.value.message) == (size == 1 << 24)

    check_nothing_leaks(run, 80_000_000)
    assert (x == 1).all()
    kernel(x, 10, 1, 1)
    assert x[0] == 2


def test_no_memory_for_a_temporary_of_tensors() -> None:
    """The operation that needs it is named; arrays whose pages nobody has touched take no memory themselves."""
    kernel = hologram.compile("""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
  %m = hologram.broadcast %x sizes(%n, %n) : tensor<?xf32> to tensor<?x?xf32>
  %p = hologram.softmax %m {axis = 1 : i64} : tensor<?x?xf32>
  %s = hologram.reduce sum %p {axes = [0 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  func.return %s : tensor<?xf32>
}""")
    with pytest.raises(LaunchError, match=r"<text>:5:3.*'main': no memory for atlas\.softmax, which needs .*PiB"):
        kernel(np.zeros(1 << 24, F32))
    np.testing.assert_allclose(kernel(np.zeros(4, F32)), 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_buffers_are_given_back_where_a_program_traps(threads: int) -> None:
    """Buffers are freed in the function that has them, and after a call (of a parallel loop's body) that trapped."""
    kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %i: memref<?xindex>, %y: index, %z: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<20000000xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %t[%y] : memref<20000000xf32>
  %n = memref.dim %i, %c0 : memref<?xindex>
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%j: index):
    %k = memref.load %i[%j] : memref<?xindex>
    %a = arith.index_cast %k : index to i64
    %b = arith.constant 12 : i64
    %q = atlas.div i64 %b, %a
    %f = arith.sitofp %q : i64 to f32
    memref.store %f, %x[%j] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  %w = memref.load %t[%z] : memref<20000000xf32>
  memref.store %w, %x[%c0] : memref<?xf32>
  memref.dealloc %t : memref<20000000xf32>
  func.return
}""")
    x, i = np.ones(100_000, F32), np.full(100_000, 3, np.int64)
    i[77_777] = 0
    before = hologram.get_num_threads()

    def run() -> None:
        with pytest.raises(TrapError, match="division by zero"):
            kernel(x, i, 5, 5)

    try:
        hologram.set_num_threads(threads)
        check_nothing_leaks(run, 80_000_000)
    finally:
        hologram.set_num_threads(before)
    i[:] = 4
    kernel(x, i, 5, 5)
    assert x[1] == 3
