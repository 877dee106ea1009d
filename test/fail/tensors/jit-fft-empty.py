# ERROR: jit-fft-empty\.py:10:12: error: a transform has a length of 1 at least
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.fft(x)


wrong(np.zeros((0, 2), np.float32))
