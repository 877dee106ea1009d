# ERROR: jit-typed-gemm-rank\.py:10:12: error: quantized_gemm takes matrices or equal batches, found 1 and 1 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.quantized_gemm(x, x)


wrong(np.zeros(3, np.int8))
