# EXIT: 1
# ERROR: 'x\[0\] == y\[0\]' does not hold, 'x' is of shape \(3,\), 'y' is of shape \(4,\)
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) attributes {hologram.constraints = ["x[0] == y[0]"]} {
  return
}
""")
kernel(np.zeros(3, np.float32), np.zeros(4, np.float32))
