# ERROR: jit-number-value\.py:9:16: error: the value of a number is known only when the function runs
import numpy as np

import hologram


@hologram.jit
def wrong(x, s):
    return x * float(s)


wrong(np.zeros(3, np.float32), 0.5)
