# ERROR: kernel-block\.py:6:1: error: a block has one to three sizes of at least 1, not \[64, 0\]
import hologram
from hologram.language import Array, f32


def kernel(x: Array[f32]):
    x[0] = 0.0


hologram.PythonKernel(kernel, (64, 0), ("1",)).compile()
