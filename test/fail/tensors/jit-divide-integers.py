# ERROR: jit-divide-integers\.py:9:12: error: '/' of two integers is no i64
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x / 2


wrong(np.zeros(3, np.int64))
