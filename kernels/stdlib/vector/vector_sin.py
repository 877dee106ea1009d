"""The instruction `sin` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, sin

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_sin(x: Array[T], y: Array[T]):
    """y[i] = sin(x[i])

    The sine of radians; keeps -0, NaN at infinities.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Sin`; isa.md, scalar instructions `sin`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = sin(x[i])
