# EXIT: 1
# ERROR: argument 'r' must have shape \(3,\), found an array of f32\[4\]
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(x[0],)"}) {
  return
}
""")
kernel(np.zeros(3, np.float32), out=np.zeros(4, np.float32))
