# ERROR: jit-operand\.py:9:12: error: 'NoneType' is no tensor, array or number
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x + None


wrong(np.zeros(3, np.float32))
