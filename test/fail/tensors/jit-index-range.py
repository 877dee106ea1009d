# ERROR: jit-index-range\.py:9:12: error: index 3 is out of range along an axis of size 3
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[3]


wrong(np.zeros(3, np.float32))
