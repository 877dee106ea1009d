# ERROR: kernel-not-integer\.py:8:7: error: an index is an integer, not f32
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0.5] = 1.0


kernel.compile()
