# ERROR: python-callee-variable\.py:9:12: error: 'exp' is a variable here, and no function
import hologram
from hologram.language import Array, f32


@hologram.kernel
def kernel(x: Array[f32]):
    exp = 2.0
    x[0] = exp(x[0])


kernel.compile()
