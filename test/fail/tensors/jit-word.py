# ERROR: jit-word\.py:10:12: error: 'atomic_add' means something in kernels alone
import numpy as np

import hologram
from hologram.language import atomic_add


@hologram.jit
def wrong(x):
    return atomic_add(x, 0, 1.0)


wrong(np.zeros(3, np.float32))
