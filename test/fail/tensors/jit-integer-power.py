# ERROR: jit-integer-power\.py:9:12: error: integers are raised to literal powers from 0 to 64 alone
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x**x


wrong(np.zeros(3, np.int64))
