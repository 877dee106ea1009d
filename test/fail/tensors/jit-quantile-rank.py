# ERROR: jit-quantile-rank\.py:10:12: error: shares are a number or stand along one axis, not 2
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.quantile(x, [[0.5]])


wrong(np.zeros(3, np.float32))
