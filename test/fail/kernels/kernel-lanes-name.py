# ERROR: kernel-lanes-name.py:8:25: error: there is no parameter 'n'
import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="n")
def clear(y: Array[f32]):
    y[get_global_id()] = 0


clear(np.zeros(4, np.float32))
