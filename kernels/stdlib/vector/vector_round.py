"""Rounds to the nearest whole number."""

import hologram
from hologram.language import Array, Element, get_global_id, round

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_round(x: Array[T], y: Array[T]):
    """y[i] = the whole number nearest to x[i], the even one of two

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map` (round).
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = round(x[i])
