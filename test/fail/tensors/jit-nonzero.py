# ERROR: jit-nonzero\.py:10:12: error: an element without axes has no indices
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.nonzero(x[0], size=1)


wrong(np.zeros(3, np.float32))
