# ERROR: kernel-dim-axis\.py:8:9: error: an axis of 'x' is a number from 0 to 0
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = x.shape[1]


kernel.compile()
