# ERROR: jit-step-parameters\.py:11:12: error: the step of a loop is called with a number and what the loop carries
# ERROR: which '<lambda>\(x\)' does not take
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.fori_loop(0, 3, lambda x: x + 1, x)


wrong(np.zeros(3, np.float32))
