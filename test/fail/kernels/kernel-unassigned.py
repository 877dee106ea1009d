# ERROR: kernel-unassigned\.py:10:12: error: 'y' may have no value here: not every way assigns it
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    if n > 3:
        y = 1.0
    x[0] = y


kernel.compile()
