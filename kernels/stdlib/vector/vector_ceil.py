"""Rounds up."""

import hologram
from hologram.language import Array, Element, ceil, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_ceil(x: Array[T], y: Array[T]):
    """y[i] = the least whole number that is not below x[i]

    -0 between -1 and 0.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (ceil).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = ceil(x[i])
