# ERROR: kernel-declared-twice\.py:9:5: error: 'a' is f32 already
import hologram
from hologram.language import Array, f32, i32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a: f32 = 0.0
    a: i32 = 0


kernel.compile()
