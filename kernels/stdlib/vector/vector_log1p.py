"""The instruction `log1p` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, log1p

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_log1p(x: Array[T], y: Array[T]):
    """y[i] = log1p(x[i])

    log(1 + x) without cancellation; keeps -0, -inf at -1.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `log1p`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = log1p(x[i])
