# ERROR: python-loop-else\.py:11:9: error: loops of kernels have no 'else'
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    for i in range(3):
        x[i] = 0.0
    else:
        x[0] = 1.0


kernel.compile()
