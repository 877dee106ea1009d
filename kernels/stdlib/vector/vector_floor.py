"""Rounds down."""

import hologram
from hologram.language import Array, Element, floor, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_floor(x: Array[T], y: Array[T]):
    """y[i] = the greatest whole number that is not above x[i]

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (floor).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = floor(x[i])
