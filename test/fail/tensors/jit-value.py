# ERROR: jit-value\.py:9:16: error: the value of a tensor is known only when the function runs
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x * float(x.max())


wrong(np.zeros(3, np.float32))
