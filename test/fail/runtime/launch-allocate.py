# EXIT: 1
# ERROR: the output 'r' of shape \(-6,\) can't be allocated: a size is below 0
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(x[0] - 9,)"}) {
  return
}
""")
kernel(np.zeros(3, np.float32))
