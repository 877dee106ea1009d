# ERROR: operation-constraint\.py:12:1: error: the constraint 'len\(a\) == len\(b\)' of 'add' does not hold
import numpy as np

import hologram


@hologram.operation(circuit="merge@c00[c01,c02]", constraints=["len(a) == len(b)"])
def add(a, b):
    pass


add(np.zeros(3, np.float32), np.zeros(2, np.float32))
