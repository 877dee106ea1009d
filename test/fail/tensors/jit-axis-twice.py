# ERROR: jit-axis-twice\.py:9:12: error: an axis is named twice in \(0, -1\)
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.sum(axis=(0, -1))


wrong(np.zeros(3, np.float32))
