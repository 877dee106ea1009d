# ERROR: kernel-lanes-array\.py:6:25: error: 'n' is no array with an axis 0
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel(lanes="n.shape[0]")
def kernel(x: Array[f32], n: u32):
    x[0] = 0.0


kernel.compile()
