# ERROR: kernel-lanes\.py:6:25: error: this is no size that a launch can be computed from
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel(lanes="n / 2")
def kernel(x: Array[f32], n: u32):
    x[0] = 0.0


kernel.compile()
