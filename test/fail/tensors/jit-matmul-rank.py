# ERROR: jit-matmul-rank\.py:9:12: error: '@' takes tensors with axes; a number multiplies by '\*'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x @ x.sum()


wrong(np.zeros(3, np.float32))
