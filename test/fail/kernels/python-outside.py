# ERROR: python-outside\.py:10:12: error: 'TABLE' stands outside of the function, and is no number
import hologram
from hologram.language import Array, f32

TABLE = [1.0, 2.0]


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = TABLE[0]


kernel.compile()
