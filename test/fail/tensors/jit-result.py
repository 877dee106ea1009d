# ERROR: jit-result\.py:9:5: error: a tensor function can't give a value of type 'set'
import numpy as np

import hologram


@hologram.jit
def wrong(x):
    return {x.shape[0]}


wrong(np.zeros(3, np.float32))
