# ERROR: jit-list\.py:9:12: error: a list of this kind is no array of numbers
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x + ["a"]


wrong(np.zeros(3, np.float32))
