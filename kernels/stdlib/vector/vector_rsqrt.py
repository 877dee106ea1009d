"""The instruction `rsqrt` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, rsqrt

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_rsqrt(x: Array[T], y: Array[T]):
    """y[i] = rsqrt(x[i])

    1 / sqrt(x); NaN below -0, +inf at +0, -inf at -0.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `RSQRT`; isa.md, scalar instructions `rsqrt`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = rsqrt(x[i])
