# ERROR: python-generic\.py:7:15: error: 'Array\[f32, 0\]' is no type of kernels
import hologram
from hologram.language import Array, f32


@hologram.kernel
def kernel(x: Array[f32, 0]):
    pass


kernel.compile()
