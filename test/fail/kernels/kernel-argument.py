# ERROR: kernel-argument\.py:12:14: error: this is an array of f32 with 1 axis, which 'v' does not take
import hologram
from hologram.language import Array, f32


def h(v: Array[f32, 2]):
    return v


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = h(x)


kernel.compile()
