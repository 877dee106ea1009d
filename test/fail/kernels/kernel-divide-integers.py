# ERROR: kernel-divide-integers\.py:8:12: error: '/' of two integers is no u32
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = n / 2


kernel.compile()
