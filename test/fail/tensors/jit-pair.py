# ERROR: jit-pair\.py:10:12: error: a stride is a number from 1 on, or two of them, not \(1, 1, 1\)
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, w):
    return ops.conv2d(x, w, stride=(1, 1, 1))


wrong(np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 3, 3), np.float32))
