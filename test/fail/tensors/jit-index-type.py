# ERROR: jit-index-type\.py:9:12: error: an index is an integer, a slice or a tensor of integers, not 1\.5
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[1.5]


wrong(np.zeros(3, np.float32))
