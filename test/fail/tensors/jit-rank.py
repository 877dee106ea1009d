# ERROR: jit-rank\.py:10:12: error: x: 4 axes are needed, and there are 2
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.rope(x, x)


wrong(np.zeros((2, 3), np.float32))
