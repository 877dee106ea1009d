"""Reciprocals."""

import hologram
from hologram.language import Array, Element, get_global_id, rcp

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_reciprocal(x: Array[T], y: Array[T]):
    """y[i] = 1 / x[i], rounded once

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (reciprocal); backends.md, `RCP`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = rcp(x[i])
