# ERROR: kernel-lanes-axes\.py:6:1: error: a launch has three axes at most, not 4
import hologram
from hologram.language import Array, f32


def kernel(x: Array[f32]):
    x[0] = 0.0


hologram.PythonKernel(kernel, (64,), ("1", "1", "1", "1")).compile()
