# ERROR: 'float32' is no type of a variable
import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="len(y)")
def clear(y: Array[f32]):
    a: float32 = 1.0  # noqa: F821  # pyright: ignore
    y[get_global_id()] = a


clear(np.zeros(4, np.float32))
