# ERROR: jit-escaped\.py:17:12: error: this tensor belongs to a call of a tensor function that has ended
import numpy as np

import hologram

kept = []


@hologram.jit
def keep(x):
    kept.append(x + 1.0)
    return x


@hologram.jit
def wrong(x):
    return x + kept[0]


keep(np.zeros(3, np.float32))
wrong(np.zeros(3, np.float32))
