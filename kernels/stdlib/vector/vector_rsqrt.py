"""Reciprocal square roots."""

import hologram
from hologram.language import Array, Element, get_global_id, rsqrt

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_rsqrt(x: Array[T], y: Array[T]):
    """y[i] = 1 / sqrt(x[i])

    NaN below -0, infinities at zeros.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (rsqrt).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = rsqrt(x[i])
