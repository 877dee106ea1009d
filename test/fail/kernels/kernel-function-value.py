# ERROR: kernel-function-value\.py:6:1: error: 'h' returns f32, and has no value to
import hologram
from hologram.language import Array, f32


def h(v) -> f32:
    v = 1.0


@hologram.kernel
def kernel(x: Array[f32]):
    h(x[0])


kernel.compile()
