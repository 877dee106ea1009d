# ERROR: kernel-assign-kind\.py:8:5: error: 'x' is an array, and can't be assigned to
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x = 1.0


kernel.compile()
