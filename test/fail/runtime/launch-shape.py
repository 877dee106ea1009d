# EXIT: 1
# ERROR: argument 'x' must have size 4 on axis 1, found an array of f32\[2x5\]
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?x4xf32>) { return }")
kernel(np.zeros((2, 5), np.float32))
