# ERROR: jit-list\.py:9:12: error: a list that holds a tensor is no array of numbers
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x + [x, 1.0]


wrong(np.zeros(3, np.float32))
