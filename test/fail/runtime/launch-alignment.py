# EXIT: 1
# ERROR: argument 'x' is not aligned to 4 bytes, as its elements must be
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(13, np.uint8)[1:].view(np.float32))
