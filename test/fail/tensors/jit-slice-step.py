# ERROR: jit-slice-step\.py:9:12: error: the step of a slice is not 0
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[::0]


wrong(np.zeros(3, np.float32))
