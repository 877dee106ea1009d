# ERROR: kernel-lanes-axes\.py:7:1: error: a launch has three axes at most, not 4
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel(lanes=("n", "n", "n", "n"))
def kernel(x: Array[f32], n: u32):
    x[0] = 0.0


kernel.compile()
