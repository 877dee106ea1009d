# EXIT: 1
# ERROR: argument 'y' is written by the program, and the array is read-only
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %y[%c0] : memref<?xf32>
  return
}
""")
y = np.zeros(3, np.float32)
y.flags.writeable = False
kernel(np.zeros(3, np.float32), y)
