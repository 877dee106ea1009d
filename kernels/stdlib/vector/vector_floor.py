"""The instruction `floor` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, floor, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_floor(x: Array[T], y: Array[T]):
    """y[i] = floor(x[i])

    Rounds toward -inf; keeps -0.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `FLOOR`; isa.md, scalar instructions `floor`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = floor(x[i])
