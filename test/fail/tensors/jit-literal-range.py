# ERROR: jit-literal-range\.py:9:12: error: 300 is no number of u8
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x + 300


wrong(np.zeros(3, np.uint8))
