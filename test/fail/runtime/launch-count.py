# EXIT: 1
# ERROR: 'main' takes 1 argument, found 2
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.zeros(3, np.float32), np.zeros(3, np.float32))
