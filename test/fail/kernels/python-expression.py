# ERROR: python-expression\.py:8:5: error: this computes something, and does nothing
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] + 1.0


kernel.compile()
