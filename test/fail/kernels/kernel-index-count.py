# ERROR: kernel-index-count\.py:8:12: error: 'x' has 1 axis, and this has 2 indices
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = x[1, 2]


kernel.compile()
