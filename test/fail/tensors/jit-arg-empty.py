# ERROR: jit-arg-empty\.py:10:12: error: 'argmax' of no elements has no index
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.argmax(x)


wrong(np.zeros(0, np.float32))
