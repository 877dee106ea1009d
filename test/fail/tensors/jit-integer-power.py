# ERROR: jit-integer-power\.py:9:12: error: integers are raised to powers that are integers of Python and not negative
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x**x


wrong(np.zeros(3, np.int64))
