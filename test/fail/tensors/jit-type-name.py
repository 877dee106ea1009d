# ERROR: jit-type-name\.py:9:12: error: tensor functions have no type 'f31'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.astype("f31")


wrong(np.zeros(3, np.float32))
