"""The instruction `trunc` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, trunc

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_trunc(x: Array[T], y: Array[T]):
    """y[i] = trunc(x[i])

    Rounds toward zero; keeps the sign of zero.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `TRUNC`; isa.md, scalar instructions `trunc`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = trunc(x[i])
