import hologram
from hologram.language import Array, f32


@hologram.kernel(block=2.5)
def kernel(x: Array[f32]):
    x[0] = 1.0
