# ERROR: jit-fft-axis\.py:10:12: error: the transform is along the axis before the last
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.fft(x, axis=0)


wrong(np.zeros((3, 4, 2), np.float32))
