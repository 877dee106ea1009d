# ERROR: jit-array\.py:9:12: error: numpy is asked for an array of a tensor, which has no values yet
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return np.asarray(x)


wrong(np.zeros(3, np.float32))
