# ERROR: jit-index-count\.py:9:12: error: a tensor with 1 axes has no 2 indices
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[0, 1]


wrong(np.zeros(3, np.float32))
