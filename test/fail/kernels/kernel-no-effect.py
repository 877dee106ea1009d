# ERROR: kernel-no-effect\.py:8:5: error: 'exp' gives a value, and nothing is done with it
import hologram
from hologram.language import Array, exp, f32


@hologram.kernel
def kernel(x: Array[f32]):
    exp(x[0])


kernel.compile()
