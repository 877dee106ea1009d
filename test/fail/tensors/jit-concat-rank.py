# ERROR: jit-concat-rank\.py:10:12: error: tensors to be joined have one number of axes, 1 at least
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, y):
    return ops.concat([x, y])


wrong(np.zeros(3, np.float32), np.zeros((2, 3), np.float32))
