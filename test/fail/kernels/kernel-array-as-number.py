# ERROR: kernel-array-as-number\.py:8:12: error: 'x' is an array, and this takes a number
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = x + 1.0


kernel.compile()
