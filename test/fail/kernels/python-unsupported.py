# ERROR: python-unsupported\.py:8:12: error: kernels have no expression such as '\[1\.0, 2\.0\]'
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = [1.0, 2.0]


kernel.compile()
