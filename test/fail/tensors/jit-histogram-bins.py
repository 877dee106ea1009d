# ERROR: jit-histogram-bins\.py:10:12: error: a histogram has a bin at least, not 0
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.histogram(x, 0)


wrong(np.zeros(3, np.float32))
