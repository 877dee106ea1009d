# ERROR: jit-dtype\.py:12:1: error: 'x' has elements of type complex64, which tensor functions have not
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x


wrong(np.zeros(3, np.complex64))
