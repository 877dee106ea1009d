# ERROR: operation-constraint-error\.py:12:1: error: the constraint 'b > 0' of 'double' can't be told
import numpy as np

import hologram


@hologram.operation(constraints=["b > 0"])
def double(a):
    return a + a


double(np.zeros(3, np.float32))
