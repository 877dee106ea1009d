# EXIT: 1
# ERROR: program 'main' trapped in lane.*division by zero
# ERROR: <text>:3:3
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = hologram.div %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}
""")
kernel(np.array([1, 2], np.int32), np.array([1, 0], np.int32))
