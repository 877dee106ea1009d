# ERROR: a device is named by a text, found int 0 \[device-type\]
import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="len(x)")
def clear(x: Array[f32]):
    x[get_global_id()] = 0


clear(np.zeros(4, np.float32), device=0)  # pyright: ignore
