# ERROR: jit-contract-pairs\.py:10:12: error: axes are contracted in pairs, found 2 and 1
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.tensor_contract(x, x, [0, 1], [0])


wrong(np.zeros((2, 3), np.float32))
