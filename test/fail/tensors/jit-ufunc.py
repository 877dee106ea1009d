# ERROR: jit-ufunc\.py:9:12: error: numpy's 'spacing' can't be traced
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return np.spacing(x)


wrong(np.zeros(3, np.float32))
