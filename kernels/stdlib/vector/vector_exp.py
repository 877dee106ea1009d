"""The instruction `exp` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, exp, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_exp(x: Array[T], y: Array[T]):
    """y[i] = exp(x[i])

    e^x; +0 at -inf, overflows to +inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Exp`; isa.md, scalar instructions `exp`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = exp(x[i])
