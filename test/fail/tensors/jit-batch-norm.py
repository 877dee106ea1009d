# ERROR: jit-batch-norm\.py:10:12: error: batch_norm takes both mean and var, or none of them
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, g):
    return ops.batch_norm(x, g, g, mean=g)


wrong(np.zeros((2, 3), np.float32), np.zeros(3, np.float32))
