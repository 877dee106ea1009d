# ERROR: kernel-function-types\.py:9:5: error: what 'pick' returns has no common type
import hologram
from hologram.language import Array, f32, i64, u32, u64


def pick(v):
    if v > 0:
        return u64(v)
    return i64(v)


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = pick(n)


kernel.compile()
