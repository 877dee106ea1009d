# EXIT: 1
# ERROR: argument 'x' must have rank 1, found an array of f32
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros((3, 4), np.float32))
