# ERROR: jit-narrow\.py:10:12: error: there are no 3 slices from 1 on along axis 0 of \(3,\)
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.narrow(x, 0, 1, 3)


wrong(np.zeros(3, np.float32))
