"""The instruction `erf` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, erf, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_erf(x: Array[T], y: Array[T]):
    """y[i] = erf(x[i])

    The error function; keeps -0, +-1 at infinities.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `erf`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = erf(x[i])
