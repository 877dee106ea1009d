# ERROR: jit-targets\.py:10:12: error: predictions have 1 axes, targets 2
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, y):
    return ops.mse(x, y)


wrong(np.zeros(3, np.float32), np.zeros((2, 3), np.float32))
