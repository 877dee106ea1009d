# ERROR: operation-call\.py:14:12: error: 'add' can't be called so: missing a required argument: 'b'
import numpy as np

import hologram


@hologram.operation(circuit="merge@c00[c01,c02]")
def add(a, b):
    pass


@hologram.jit
def wrong(x):
    return add(x)


wrong(np.zeros(3, np.float32))
