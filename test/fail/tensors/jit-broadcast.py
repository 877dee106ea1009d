# ERROR: jit-broadcast\.py:9:12: error: shapes \(3,\) and \(4,\) do not broadcast
import numpy as np

import hologram


@hologram.jit
def wrong(x, y):
    return x + y


wrong(np.zeros(3, np.float32), np.zeros(4, np.float32))
