# ERROR: jit-outer-rank\.py:10:12: error: outer takes two vectors, found 2 and 2 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.outer(x, x)


wrong(np.zeros((2, 3), np.float32))
