# ERROR: python-lanes\.py:6:24: error: 'n \+' is no expression
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel(lanes="n +")
def kernel(x: Array[f32], n: u32):
    x[0] = 0.0


kernel.compile()
