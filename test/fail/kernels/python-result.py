# ERROR: python-result\.py:6:13: error: 'str' is no type that functions return
import hologram
from hologram.language import Array, f32


def h(v) -> str:
    return v


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = h(x[0])


kernel.compile()
