# ERROR: jit-sparse-starts\.py:10:12: error: there is one start more than there are rows, and so one at least
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, i, b):
    return ops.sparse_gemm(x, i, i[:0], b)


wrong(np.zeros(3, np.float32), np.zeros(3, np.int64), np.zeros((2, 3), np.float32))
