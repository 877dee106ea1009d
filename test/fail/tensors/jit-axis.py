# ERROR: jit-axis\.py:9:12: error: axis 1 is out of range for a tensor with 1 axes
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.sum(axis=1)


wrong(np.zeros(3, np.float32))
