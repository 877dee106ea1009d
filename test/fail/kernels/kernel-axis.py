# ERROR: kernel-axis\.py:8:9: error: an axis is 0, 1 or 2
import hologram
from hologram.language import Array, f32, lane_id, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    i = lane_id(n)


kernel.compile()
