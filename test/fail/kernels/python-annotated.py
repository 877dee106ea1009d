# ERROR: python-annotated\.py:8:5: error: a typed variable has a name, a number's type and a value
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a: f32  # noqa: F842


kernel.compile()
