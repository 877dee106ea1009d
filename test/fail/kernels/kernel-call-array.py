# ERROR: kernel-call-array\.py:8:9: error: 'dim' takes an array first
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = len(n + 1)


kernel.compile()
