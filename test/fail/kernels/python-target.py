# ERROR: python-target\.py:8:5: error: kernels assign to variables and elements
import hologram
from hologram.language import Array, f32


@hologram.kernel
def kernel(x: Array[f32]):
    x.flags += 1


kernel.document
