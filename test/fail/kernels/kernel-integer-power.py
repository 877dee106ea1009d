# ERROR: kernel-integer-power\.py:8:9: error: integers are raised to literal powers from 0 to 64 alone
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = n**n


kernel.compile()
