# ERROR: python-targets\.py:8:5: error: the targets are 2, and the values 3
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a, b = 1.0, 2.0, 3.0


kernel.compile()
