"""The instruction `expm1` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, expm1, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_expm1(x: Array[T], y: Array[T]):
    """y[i] = expm1(x[i])

    e^x - 1 without cancellation; keeps -0, -1 at -inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `expm1`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = expm1(x[i])
