# ERROR: <circuit of wrong>:1:1: error: 'merge@c00' names one class, and so has no tile reading
import numpy as np

import hologram


@hologram.operation(circuit="merge@c00")
def wrong(a):
    pass


wrong(np.zeros(3, np.float32))
