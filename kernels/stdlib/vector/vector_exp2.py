"""Powers of 2."""

import hologram
from hologram.language import Array, Element, exp2, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_exp2(x: Array[T], y: Array[T]):
    """y[i] = 2 ** x[i]

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, transcendentals, `exp2`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = exp2(x[i])
