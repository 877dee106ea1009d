# EXIT: 1
# ERROR: argument 'x' has its bytes in the other order
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(3, np.dtype(np.float32).newbyteorder("S")))
