# ERROR: jit-matvec-rank\.py:10:12: error: matvec takes a matrix and a vector, found 1 and 1 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.matvec(x, x)


wrong(np.zeros(3, np.float32))
