# ERROR: kernel-literal-arithmetic\.py:8:12: error: 1 // 0: integer division or modulo by zero
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = 1 // 0


kernel.compile()
