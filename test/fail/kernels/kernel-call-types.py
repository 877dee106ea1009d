# ERROR: kernel-call-types\.py:8:9: error: the arguments of 'max' have no common type
import hologram
from hologram.language import Array, f32, i64, u32, u64


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = max(u64(n), i64(n))


kernel.compile()
