"""The instruction `rcp` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, rcp

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_reciprocal(x: Array[T], y: Array[T]):
    """y[i] = rcp(x[i])

    1 / x, rounded once.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `RCP`; isa.md, scalar instructions `rcp`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = rcp(x[i])
