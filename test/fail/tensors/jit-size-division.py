# ERROR: jit-size-division\.py:9:16: error: a size is divided by 0
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[: x.shape[0] // 0]


wrong(np.zeros(3, np.float32))
