# ERROR: jit-scan-kind\.py:10:12: error: there is no scan by 'sum'
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.scan(x, kind="sum")


wrong(np.zeros(3, np.float32))
