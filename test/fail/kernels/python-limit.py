# ERROR: python-limit\.py:8:12: error: 'least' takes a type
import hologram
from hologram.language import Array, f32, least


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = least(x[1])


kernel.compile()
