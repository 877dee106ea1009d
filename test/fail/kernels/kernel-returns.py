# ERROR: kernel-returns\.py:8:5: error: a kernel gives no value back
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    return x[0]


kernel.compile()
