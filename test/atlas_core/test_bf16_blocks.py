"""bf16 values that live from block to block keep every bit pattern."""

from __future__ import annotations

import ml_dtypes
import numpy as np

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
