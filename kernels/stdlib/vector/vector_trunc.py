"""Rounds toward zero."""

import hologram
from hologram.language import Array, Element, get_global_id, trunc

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_trunc(x: Array[T], y: Array[T]):
    """y[i] = x[i] without its fraction

    Zeros have the sign of x.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (trunc).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = trunc(x[i])
