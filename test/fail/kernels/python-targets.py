# ERROR: python-targets\.py:8:5: error: kernels assign to one variable or element at a time
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = b = 1.0


kernel.compile()
