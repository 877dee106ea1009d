# ERROR: jit-gemm-rank\.py:10:12: error: gemm takes two matrices or equal batches of them, found 2 and 1 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, y):
    return ops.gemm(x, y)


wrong(np.zeros((2, 3), np.float32), np.zeros(3, np.float32))
