# ERROR: kernel-recursion\.py:7:12: error: 'down' calls itself, which kernels can't
import hologram
from hologram.language import Array, f32, u32


def down(v):
    return down(v - 1.0)


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = down(x[0])


kernel.compile()
