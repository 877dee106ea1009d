# ERROR: python-call-star\.py:12:12: error: calls in kernels have plain arguments, without \* and \*\*
import hologram
from hologram.language import Array, f32


def part(a, scale=2.0):
    return a * scale


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = part(*x)


kernel.compile()
