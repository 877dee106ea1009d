# ERROR: jit-index-tensors\.py:9:12: error: an index holds one tensor of indices at most
import numpy as np

import hologram


@hologram.jit
def wrong(x, i):
    return x[i, i]


wrong(np.zeros((2, 3), np.float32), np.zeros(3, np.int64))
