# ERROR: kernel-conditional-types\.py:8:9: error: the two values have no common type
import hologram
from hologram.language import Array, f32, i64, u32, u64


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = u64(n) if n > 1 else i64(n)


kernel.compile()
