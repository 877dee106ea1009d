# ERROR: jit-contains\.py:9:12: error: 'in' asks for values of a tensor
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return 1.0 in x


wrong(np.zeros(3, np.float32))
