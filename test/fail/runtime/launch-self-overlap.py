# EXIT: 1
# ERROR: argument 'y' is written by the program, and its elements share memory
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %y: memref<?xf32, strided<[?]>>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %y[%c0] : memref<?xf32, strided<[?]>>
  return
}
""")
one = np.zeros(1, np.float32)
kernel(np.zeros(3, np.float32), np.lib.stride_tricks.as_strided(one, (3,), (0,)))
