"""The instruction `ceil` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, ceil, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_ceil(x: Array[T], y: Array[T]):
    """y[i] = ceil(x[i])

    Rounds toward +inf; gives -0 in (-1, -0].

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, SimpleExtension `CEIL`; isa.md, scalar instructions `ceil`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = ceil(x[i])
