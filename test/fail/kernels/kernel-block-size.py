# ERROR: kernel-block-size\.py:7:1: error: a block has less than 2\^31 lanes, not \[65536, 65536, 1\]
import hologram
from hologram.language import Array, f32


@hologram.kernel(block=(65536, 65536, 1))
def kernel(x: Array[f32]):
    x[0] = 1.0


kernel.compile()
