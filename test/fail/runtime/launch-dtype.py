# EXIT: 1
# ERROR: argument 'x' must have elements of type f32, found an array of f64\[3\]
# ERROR: hint: pass x.astype
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(3))
