"""The instruction `atan` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, atan, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_atan(x: Array[T], y: Array[T]):
    """y[i] = atan(x[i])

    The arc tangent in (-pi/2, pi/2); keeps -0.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `atan`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = atan(x[i])
