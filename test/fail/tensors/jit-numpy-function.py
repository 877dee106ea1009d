# ERROR: jit-numpy-function\.py:9:12: error: numpy's 'concatenate' can't be traced
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return np.concatenate([x, x])


wrong(np.zeros(3, np.float32))
