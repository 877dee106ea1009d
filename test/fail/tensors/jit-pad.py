# ERROR: jit-pad\.py:10:12: error: the widths of a tensor with 1 axes are as many pairs
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.pad(x, [(1,)])


wrong(np.zeros(3, np.float32))
