# ERROR: jit-data-size-kind\.py:10:12: error: 'size' of 'nonzero' is a size, not \(-1,\)
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.nonzero(x, size=-1)


wrong(np.zeros(3, np.float32))
