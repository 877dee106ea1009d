# ERROR: jit-assign\.py:9:5: error: tensors of a tensor function are not changed
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    x[0] = 1.0
    return x


wrong(np.zeros(3, np.float32))
