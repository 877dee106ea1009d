# ERROR: jit-slice\.py:9:12: error: the bounds of a slice are integers, not 'float'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[0.5:]


wrong(np.zeros(3, np.float32))
