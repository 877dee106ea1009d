# ERROR: python-array\.py:8:9: error: 'shared' takes a type and sizes
import hologram
from hologram.language import Array, f32, shared, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = shared(f32)


kernel.compile()
