"""Swish, also called SiLU."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def swish(x: Array[T], y: Array[T]):
    """y[i] = x[i] / (1 + e ** -x[i])

    -0 at -inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, `SWISH`; isa.md section 2.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.swish(x[i])
