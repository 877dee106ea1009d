# ERROR: python-call-missing\.py:12:12: error: 'part' is given no 'a'
import hologram
from hologram.language import Array, f32


def part(a, scale=2.0):
    return a * scale


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = part(scale=1.0)


kernel.compile()
