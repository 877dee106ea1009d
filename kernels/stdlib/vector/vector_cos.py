"""The instruction `cos` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, cos, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_cos(x: Array[T], y: Array[T]):
    """y[i] = cos(x[i])

    The cosine of radians; NaN at infinities.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Cos`; isa.md, scalar instructions `cos`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = cos(x[i])
