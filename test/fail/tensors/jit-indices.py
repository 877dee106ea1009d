# ERROR: jit-indices\.py:10:12: error: indices are integers, not f32
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.gather(x, x)


wrong(np.zeros(3, np.float32))
