# ERROR: jit-concat-empty\.py:10:12: error: there are no tensors to join
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.concat([])


wrong(np.zeros(3, np.float32))
