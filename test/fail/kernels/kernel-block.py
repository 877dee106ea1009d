# ERROR: kernel-block\.py:7:1: error: a block has one to three sizes of at least 1, not \[64, 0\]
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel(block=(64, 0))
def kernel(x: Array[f32], n: u32):
    x[0] = 0.0


kernel.compile()
