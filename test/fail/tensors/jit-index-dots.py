# ERROR: jit-index-dots\.py:9:12: error: an index has one '\.\.\.' at most
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x[..., ...]


wrong(np.zeros(3, np.float32))
