# ERROR: python-call-keyword\.py:12:23: error: 'part' has no parameter 'scael'
import hologram
from hologram.language import Array, f32


def part(a, scale=2.0):
    return a * scale


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = part(x[1], scael=3.0)


kernel.compile()
