# ERROR: jit-broadcast-to\.py:10:12: error: a tensor of shape \(3,\) does not broadcast to \(1,\)
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.broadcast_to(x, (1,))


wrong(np.zeros(3, np.float32))
