# ERROR: kernel-no-value\.py:8:12: error: 'barrier' gives no value
import hologram
from hologram.language import Array, barrier, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = barrier()


kernel.compile()
