"""The instruction `round` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, round

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_round(x: Array[T], y: Array[T]):
    """y[i] = round(x[i])

    Rounds to nearest, half to even.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `ROUND`; isa.md, scalar instructions `round`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = round(x[i])
