# ERROR: python-for\.py:8:14: error: kernels loop over 'range' of one to three numbers, with one variable
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    for i in [1, 2]:
        x[i] = 0.0


kernel.compile()
