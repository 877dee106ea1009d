# ERROR: kernel-call-count\.py:8:12: error: 'exp' takes 1 argument, and is given 2
import hologram
from hologram.language import Array, exp, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = exp(x[0], 2.0)


kernel.compile()
