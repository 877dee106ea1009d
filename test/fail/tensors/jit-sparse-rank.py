# ERROR: jit-sparse-rank\.py:10:12: error: sparse_gemm takes three vectors and a matrix
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, i):
    return ops.sparse_gemm(x, i, i, x)


wrong(np.zeros(3, np.float32), np.zeros(3, np.int64))
