# ERROR: kernel-literal-power\.py:8:12: error: 10 \*\* 1000 is too large
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = 10**1000


kernel.compile()
