# ERROR: jit-shape\.py:9:12: error: a shape is made of integers, not of 'float'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.reshape(1.5)


wrong(np.zeros(3, np.float32))
