# ERROR: <circuit of wrong>:1:1: error: 'c00@3' is a page, and an operation works on whole classes
import numpy as np

import hologram


@hologram.operation(circuit="copy@c00->c01@3")
def wrong(a):
    pass


wrong(np.zeros(3, np.float32))
