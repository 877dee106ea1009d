# EXIT: 2
# ERROR: jit-method\.py:11:12: error: tensors have no 'exp'
# ERROR: hint: write hologram\.ops\.exp\(\.\.\.\)
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return x.exp()


wrong(np.zeros(3, np.float32))
