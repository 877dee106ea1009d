# ERROR: kernel-assign-name\.py:8:5: error: there is no variable 'totl' to assign to
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    totl += 1.0


kernel.compile()
