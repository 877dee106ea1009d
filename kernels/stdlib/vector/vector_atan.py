"""Arc tangents."""

import hologram
from hologram.language import Array, Element, atan, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_atan(x: Array[T], y: Array[T]):
    """y[i] = the arc tangent of x[i], between -pi/2 and pi/2

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, transcendentals, `atan`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = atan(x[i])
