# EXIT: 1
# ERROR: make '\(1 // x\[0\],\)' divide by zero
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(1 // x[0],)"}) {
  return
}
""")
kernel(np.zeros(0, np.float32))
