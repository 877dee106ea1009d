"""Logarithms to base 10."""

import hologram
from hologram.language import Array, Element, get_global_id, log10

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_log10(x: Array[T], y: Array[T]):
    """y[i] = log10 x[i]

    -inf at zeros, NaN below.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, transcendentals, `log10`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = log10(x[i])
