# ERROR: python-slice\.py:8:5: error: a lane takes one element, no slice
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0:2] = 0.0


kernel.compile()
