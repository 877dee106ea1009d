# ERROR: jit-reshape\.py:9:12: error: a tensor of shape \(3,\) has no shape \(2, 2\)
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.reshape(2, 2)


wrong(np.zeros(3, np.float32))
