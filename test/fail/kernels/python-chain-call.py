# ERROR: python-chain-call\.py:8:14: error: a call in the middle of a chain of comparisons would be made twice
import hologram
from hologram.language import Array, atomic_add, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    if 0.0 < atomic_add(x, 0, 1.0) < 1.0:
        x[0] = 0.0


kernel.compile()
