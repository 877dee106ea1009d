# ERROR: python-comparison\.py:8:8: error: kernels compare numbers, by < <= > >= == and !=
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    if x[0] in x:
        x[0] = 0.0


kernel.compile()
