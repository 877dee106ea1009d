# ERROR: config= is a LaunchConfig, not int 4
import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel
def clear(y: Array[f32]):
    y[get_global_id()] = 0


clear(np.zeros(4, np.float32), config=4)  # pyright: ignore
