# ERROR: jit-search-side\.py:10:12: error: there is no side 'middle' of equal elements
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.searchsorted(x, x, side="middle")


wrong(np.zeros(3, np.float32))
