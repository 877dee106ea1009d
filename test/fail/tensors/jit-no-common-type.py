# ERROR: jit-no-common-type\.py:9:12: error: no integer type holds u64 and i64
import numpy as np

import hologram


@hologram.jit
def wrong(x, y):
    return x & y


wrong(np.zeros(3, np.uint64), np.zeros(3, np.int64))
