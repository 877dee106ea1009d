# ERROR: error: 'x' is of f64 and 'y' of f32, and both are T
import numpy as np

import hologram
from hologram.language import Array, Element

T = Element("T", "f32", "f64")


@hologram.kernel(lanes="1")
def kernel(x: Array[T], y: Array[T]):
    x[0] = y[0]


kernel(np.zeros(1), np.zeros(1, np.float32))
