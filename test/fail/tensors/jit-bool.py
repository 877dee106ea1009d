# ERROR: jit-bool\.py:9:8: error: whether a tensor holds is known only when the function runs
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    if x > 0:
        return x
    return -x


wrong(np.zeros(3, np.float32))
