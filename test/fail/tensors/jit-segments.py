# ERROR: jit-segments\.py:10:12: error: 'segment_sum' takes a tensor with an axis at least, and ids along one axis
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.segment_sum(x, np.zeros((1, 3), int), 2)


wrong(np.zeros(3, np.float32))
