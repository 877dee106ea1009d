"""The instruction `tan` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, tan

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_tan(x: Array[T], y: Array[T]):
    """y[i] = tan(x[i])

    The tangent of radians; keeps -0, NaN at infinities.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Tan`; isa.md, scalar instructions `tan`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = tan(x[i])
