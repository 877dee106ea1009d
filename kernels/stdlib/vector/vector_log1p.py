"""Natural logarithms of 1 + x, exact near 0."""

import hologram
from hologram.language import Array, Element, get_global_id, log1p

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_log1p(x: Array[T], y: Array[T]):
    """y[i] = ln(1 + x[i]), without cancellation

    -inf at -1, NaN below.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, transcendentals, `log1p`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = log1p(x[i])
