# ERROR: jit-groups\.py:10:12: error: 3 channels do not make 2 equal groups
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, g):
    return ops.group_norm(x, g, g, groups=2)


wrong(np.zeros((2, 3), np.float32), np.zeros(3, np.float32))
