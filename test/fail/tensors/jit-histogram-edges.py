# ERROR: jit-histogram-edges\.py:10:12: error: the edges of bins are two numbers at least, along one axis
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.histogram(x, x[:1])


wrong(np.zeros(3, np.float32))
