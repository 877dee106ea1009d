# ERROR: kernel-invert\.py:8:12: error: '\~' takes integers, not f32
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = ~x[0]


kernel.compile()
