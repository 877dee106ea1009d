# ERROR: kernel-literal-range\.py:9:5: error: 300 is no number of u8
import hologram
from hologram.language import Array, f32, u8, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a: u8 = 0
    a = 300


kernel.compile()
