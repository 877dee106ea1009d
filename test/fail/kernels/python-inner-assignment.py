# ERROR: python-inner-assignment\.py:8:22: error: 'n' is assigned in an expression that is not always computed first
import hologram
from hologram.language import Array, f32


@hologram.kernel
def kernel(x: Array[f32]):
    if x[0] > 0 and (n := x[1]) > 1.0:
        x[2] = n


kernel.compile()
