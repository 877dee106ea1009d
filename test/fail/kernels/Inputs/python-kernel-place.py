import hologram
from hologram.language import Array, f32


def make():
    @hologram.kernel
    def kernel(x: Array[f32]):
        x[0] = 1.0

    return kernel
