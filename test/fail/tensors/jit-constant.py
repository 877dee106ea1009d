# ERROR: jit-constant\.py:10:16: error: 'NoneType' is no array of numbers
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return x + ops.constant(None)


wrong(np.zeros(3, np.float32))
