# ERROR: jit-permutation\.py:10:12: error: \[0, 0\] is no order of the 2 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.transpose(x, (0, 0))


wrong(np.zeros((2, 3), np.float32))
