# ERROR: jit-labels\.py:10:12: error: this takes a matrix and a vector of labels, found 1 and 1 axes
import numpy as np

import hologram
from hologram import ops


@hologram.jit
def wrong(x):
    return ops.cross_entropy_logits(x, ops.cast(x, "i32"))


wrong(np.zeros(3, np.float32))
