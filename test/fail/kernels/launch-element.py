# ERROR: error: 'x' of 'kernel' is an array of i32
import numpy as np

import hologram
from hologram.language import Array, Element

T = Element("T", "f32", "f64")


@hologram.kernel(lanes="1")
def kernel(x: Array[T]):
    x[0] = 1


kernel(np.zeros(1, np.int32))
