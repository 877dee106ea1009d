# EXIT: 1
# ERROR: argument 'x' is a masked array
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel(np.ma.masked_array(np.zeros(3, np.float32)))
