# ERROR: kernel-name\.py:8:12: error: there is no variable 'totl'
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = totl


kernel.compile()
