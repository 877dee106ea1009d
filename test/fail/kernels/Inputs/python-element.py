import hologram
from hologram.language import Array, Element

TYPES = ("f32", "f64")
T = Element("T", *TYPES)


@hologram.kernel
def kernel(x: Array[T]):
    x[0] = 1
