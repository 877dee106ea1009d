# ERROR: operation-constraint-values\.py:12:1: error: the constraint 'a > 0' of 'double' asks for values of tensors
import numpy as np

import hologram


@hologram.operation(constraints=["a > 0"])
def double(a):
    return a + a


double(np.zeros(3, np.float32))
