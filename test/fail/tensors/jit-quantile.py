# ERROR: jit-quantile\.py:10:12: error: a share of the elements is a number from 0 to 1, not 1\.5
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.quantile(x, 1.5)


wrong(np.zeros(3, np.float32))
