# EXIT: 1
# ERROR: the limbs of argument 'x' lie 16 bytes apart, not 8
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xi256>) { return }")
kernel(np.zeros((2, 8), np.uint64)[:, ::2])
