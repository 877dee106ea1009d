# ERROR: kernel-function-bare-return\.py:9:5: error: 'half' returns a value elsewhere, and none here
import hologram
from hologram.language import Array, f32, u32


def half(v):
    if v > 0.0:
        return v / 2.0
    return


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = half(x[0])


kernel.compile()
