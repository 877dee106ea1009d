# ERROR: jit-round-digits\.py:9:12: error: tensors are rounded to whole numbers
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return round(x, 2)


wrong(np.zeros(3, np.float32))
