# ERROR: jit-fft-complex\.py:10:12: error: the last axis has size 2: the real and the imaginary part
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.fft(x)


wrong(np.zeros((2, 3), np.float32))
