# ERROR: kernel-shift-float\.py:8:12: error: '<<' takes integers
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = x[0] << 1


kernel.compile()
