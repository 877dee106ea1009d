# ERROR: jit-sizes\.py:9:12: error: the sizes that are summed over differ: 3 and 2
import numpy as np

import hologram


@hologram.jit
def wrong(x, y):
    return x @ y


wrong(np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32))
