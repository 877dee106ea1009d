# ERROR: the step of a range is not 0
import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="len(y)")
def clear(y: Array[f32]):
    for i in range(0, len(y), 0):
        y[i] = get_global_id()


clear(np.zeros(4, np.float32))
