# EXIT: 1
# ERROR: argument 'x' must have stride 1 on axis 1, found 2
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?x?xf32, strided<[?, 1]>>) { return }")
kernel(np.zeros((4, 6), np.float32)[:, ::2])
