# ERROR: python-array-place\.py:8:12: error: 'local' makes an array, which needs a name
import hologram
from hologram.language import Array, f32, local


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = local(f32, 4)


kernel.compile()
