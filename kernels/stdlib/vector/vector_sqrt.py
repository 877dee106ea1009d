"""The instruction `sqrt` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, sqrt

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_sqrt(x: Array[T], y: Array[T]):
    """y[i] = sqrt(x[i])

    The square root, rounded once; NaN below -0, -0 at -0.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Sqrt`; isa.md, scalar instructions `sqrt`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = sqrt(x[i])
