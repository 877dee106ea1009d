# ERROR: jit-conv-size\.py:10:12: error: the weights do not fit into the images with their padding
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x, w):
    return ops.conv2d(x, w)


wrong(np.zeros((1, 1, 2, 2), np.float32), np.zeros((1, 1, 3, 3), np.float32))
