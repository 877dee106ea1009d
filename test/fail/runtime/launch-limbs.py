# EXIT: 1
# ERROR: argument 'x' must hold i256: a last axis of 4 limbs of u64, found an array of u64\[2x3\]
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xi256>) { return }")
kernel(np.zeros((2, 3), np.uint64))
