# ERROR: python-returns\.py:7:30: error: a kernel gives no value back
import hologram
from hologram.language import Array, f32


@hologram.kernel
def kernel(x: Array[f32]) -> f32:
    x[0] = 1.0


kernel.compile()
