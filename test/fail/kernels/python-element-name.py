# EXIT: 2
# ERROR: error: 'kernel' has no element type 'S'
import hologram
from hologram.frontend.kernels.choices import with_types
from hologram.language import Array, Element

T = Element("T", "f32", "f64")


@hologram.kernel
def kernel(x: Array[T]):
    x[0] = 1


with_types(kernel.document, {"S": "f64"})
