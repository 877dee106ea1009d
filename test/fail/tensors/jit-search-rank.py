# ERROR: jit-search-rank\.py:10:12: error: what is searched has one axis, not 2
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.searchsorted(x[None], x)


wrong(np.zeros(3, np.float32))
