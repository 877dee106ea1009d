# EXIT: 1
# ERROR: argument 'x' must be contiguous in C order
# ERROR: hint: pass numpy.ascontiguousarray
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(6, np.float32)[::2])
