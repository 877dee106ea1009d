# ERROR: python-statement\.py:8:5: error: kernels have no statement 'with'
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    with x:
        pass


kernel.compile()
