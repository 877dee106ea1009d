# ERROR: jit-number-bool\.py:9:1[27]: error: whether a number holds is known only when the function runs
import numpy as np

import hologram


@hologram.jit
def wrong(x, s):
    return x if s else -x


wrong(np.zeros(3, np.float32), 0.5)
