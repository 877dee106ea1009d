# ERROR: jit-ufunc\.py:9:12: error: numpy's 'arctanh' can't be traced
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return np.arctanh(x)


wrong(np.zeros(3, np.float32))
