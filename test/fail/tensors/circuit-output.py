# ERROR: <circuit of wrong>:1:1: error: class 1, which is a result, gets no value
import numpy as np

import hologram


@hologram.operation(circuit="merge@c00[c00,c05]")
def wrong(a):
    pass


wrong(np.zeros(3, np.float32))
