# ERROR: jit-not-integer\.py:9:12: error: this takes integers, not f32
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x & 1


wrong(np.zeros(3, np.float32))
