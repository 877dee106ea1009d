# EXIT: 2
# ERROR: 'main' takes its arguments by their places, and is given 'x' by its name
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
""")
kernel(x=np.zeros(4, np.float32))
