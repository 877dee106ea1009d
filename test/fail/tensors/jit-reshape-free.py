# ERROR: jit-reshape-free\.py:9:12: error: a shape has one size of -1 at most
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.reshape(-1, -1)


wrong(np.zeros(3, np.float32))
