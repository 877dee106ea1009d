# ERROR: python-element-twice\.py:9:41: error: there are two element types 'T'
import hologram
from hologram.language import Array, Element

S, T = Element("T", "f32"), Element("T", "f32", "f64")


@hologram.kernel
def both(x: Array[S], number: S, other: T):
    x[0] = number


both.compile()
