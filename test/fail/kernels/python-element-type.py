# EXIT: 2
# ERROR: error: 'T' of 'kernel' can't be 'i32'
import hologram
from hologram.language import Array, Element

T = Element("T", "f32", "f64")


@hologram.kernel
def kernel(x: Array[T]):
    x[0] = 1


kernel.compile(T="i32")
