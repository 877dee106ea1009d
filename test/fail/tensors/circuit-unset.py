# ERROR: <circuit of wrong>:1:1: error: class 7 is read before it has a value
import numpy as np

import hologram


@hologram.operation(circuit="merge@c00[c07,c01]")
def wrong(a):
    pass


wrong(np.zeros(3, np.float32))
