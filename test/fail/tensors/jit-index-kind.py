# ERROR: jit-index-kind\.py:9:12: error: what is chosen by truth values has a size that no shape tells
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[x > 0]


wrong(np.zeros(3, np.float32))
