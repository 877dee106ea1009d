# ERROR: jit-reshape-empty\.py:9:12: error: the size of -1 does not follow where another one is 0
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.reshape(0, -1)


wrong(np.zeros(3, np.float32))
