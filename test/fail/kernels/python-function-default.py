# ERROR: python-function-default\.py:6:15: error: defaults of functions are numbers
import hologram
from hologram.language import Array, f32


def part(a, b=None):
    return a * b


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = part(x[1])


kernel.compile()
