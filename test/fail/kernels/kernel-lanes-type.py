# ERROR: kernel-lanes-type\.py:6:25: error: 'a' is no integer
import hologram
from hologram.language import Array, f32


@hologram.kernel(lanes="a")
def kernel(x: Array[f32], a: f32):
    x[0] = a


kernel.compile()
