# ERROR: kernel-dim-axis\.py:8:9: error: 'x' has axis 0 alone
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = x.shape[1]


kernel.compile()
