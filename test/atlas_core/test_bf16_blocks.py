"""bf16 values that live from block to block keep every bit pattern."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hologram

TEXT = """
func.func @main(%x: memref<?xbf16>, %y: memref<?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.load %x[%c0] : memref<?xbf16>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%held = %first) -> (bf16) {
    memref.store %held, %y[%i] : memref<?xbf16>
    %next = memref.load %x[%i] : memref<?xbf16>
    scf.yield %next : bf16
  }
  memref.store %last, %y[%c0] : memref<?xbf16>
  func.return
}
"""


def test_subnormals_stay():
    x = np.arange(1, 200, dtype=np.uint16).view(ml_dtypes.bfloat16)
    y = np.zeros_like(x)
    hologram.compile(TEXT)(x, y, len(x))
    bits = x.view(np.uint16)
    assert y.view(np.uint16).tolist() == [int(bits[-1]), *bits[:-1].tolist()]


CALLED = """
func.func @main(%x: memref<?xbf16>, %y: memref<?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %bound = memref.dim %y, %c0 : memref<?xbf16>
  %r = func.call @last(%x, %n) : (memref<?xbf16>, index) -> bf16
  %some = arith.cmpi ult, %n, %bound : index
  scf.if %some {
    memref.store %r, %y[%n] : memref<?xbf16>
  }
  func.return
}
func.func private @last(%x: memref<?xbf16>, %n: index) -> bf16 {
  %c1 = arith.constant 1 : index
  %at = arith.subi %n, %c1 : index
  %r = memref.load %x[%at] : memref<?xbf16>
  func.return %r : bf16
}
"""


@pytest.mark.parametrize("level", range(4))
def test_results_of_calls_that_another_block_reads(level: int):
    kernel = hologram.compile(CALLED, opt_level=level)
    x = np.array([1.5, -1.75, 60.0, -np.inf, 1e-40, 3.0], ml_dtypes.bfloat16)
    y = np.zeros(8, ml_dtypes.bfloat16)
    for n in range(1, 7):
        kernel(x, y, n)
    assert y[1:7].view(np.uint16).tolist() == x.view(np.uint16).tolist()
