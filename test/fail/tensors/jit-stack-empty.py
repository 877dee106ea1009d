# ERROR: jit-stack-empty\.py:10:12: error: there are no tensors to stack
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.stack([])


wrong(np.zeros(3, np.float32))
