# ERROR: kernel-array-twice\.py:9:5: error: 'a' is there already
import hologram
from hologram.language import Array, f32, local, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = local(f32, 4)
    a = local(f32, 8)


kernel.compile()
