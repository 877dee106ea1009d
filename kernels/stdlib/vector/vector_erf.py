"""The error function."""

import hologram
from hologram.language import Array, Element, erf, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_erf(x: Array[T], y: Array[T]):
    """y[i] = erf x[i] = 2 / sqrt(pi) times the integral of e ** (-t * t) from 0 to x[i]

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (erf).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = erf(x[i])
