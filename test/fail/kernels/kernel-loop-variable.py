# ERROR: kernel-loop-variable\.py:9:5: error: 'i' counts, so it is an i64, and it is something else
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    i = 0.5
    for i in range(4):
        x[i] = 0.0


kernel.compile()
