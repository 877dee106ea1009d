# ERROR: jit-whole\.py:9:12: error: an axis is an integer, not 'float'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.sum(axis=0.5)


wrong(np.zeros(3, np.float32))
