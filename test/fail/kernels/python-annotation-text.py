# ERROR: python-annotation-text\.py:6:10: error: 'f32\[' is no expression
import hologram
from hologram.language import Array, f32


def h(v: "f32["):  # noqa: F722 # pyright: ignore
    return v


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = h(x[0])


kernel.compile()
