# ERROR: jit-list-kind\.py:9:12: error: a list that holds a 'str' is no array of numbers
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x + ["a"]


wrong(np.zeros(3, np.float32))
