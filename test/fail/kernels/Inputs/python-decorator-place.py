import hologram
from hologram.language import Array, f32


@hologram.kernel("len(x)")
def kernel(x: Array[f32]):
    x[0] = 1.0
