# EXIT: 1
# ERROR: argument 'x' steps 5 bytes on axis 0, elements have 4
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(3, np.dtype([("a", "f4"), ("b", "u1")]))["a"])
