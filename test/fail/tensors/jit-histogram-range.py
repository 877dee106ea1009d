# ERROR: jit-histogram-range\.py:10:12: error: a range is two numbers, not 3
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.histogram(x, range=(0, 1, 2))


wrong(np.zeros(3, np.float32))
