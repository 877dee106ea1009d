# ERROR: python-callee\.py:8:12: error: kernels can't call 'x\.sum'
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = x.sum()


kernel.compile()
