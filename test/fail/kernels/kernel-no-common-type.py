# ERROR: kernel-no-common-type\.py:10:8: error: no integer type holds u64 and i64
import hologram
from hologram.language import Array, f32, i64, u32, u64


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = u64(n)
    b = i64(n)
    if a < b:
        x[0] = 0.0


kernel.compile()
