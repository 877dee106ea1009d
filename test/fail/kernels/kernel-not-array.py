# ERROR: kernel-not-array\.py:8:12: error: 'n' is no array
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = n[0]


kernel.compile()
