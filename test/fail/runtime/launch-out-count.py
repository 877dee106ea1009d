# EXIT: 1
# ERROR: 'main' has 1 output to give in out=, found 2
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(x[0],)"}) {
  return
}
""")
x = np.zeros(3, np.float32)
kernel(x, out=(x, x))
