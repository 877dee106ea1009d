"""The instruction `exp2` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, exp2, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_exp2(x: Array[T], y: Array[T]):
    """y[i] = exp2(x[i])

    2^x; +0 at -inf, overflows to +inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `exp2`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = exp2(x[i])
