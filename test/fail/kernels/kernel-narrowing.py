# ERROR: kernel-narrowing\.py:9:5: error: 'count' is i64, and can't hold f32 as it is
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    count = 0
    count += x[0]


kernel.compile()
