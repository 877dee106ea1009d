"""The instruction `swish` on each element. `make docs` writes this file from its declaration."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def swish(x: Array[T], y: Array[T]):
    """y[i] = swish(x[i])

    x * sigmoid(x); -0 at -inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, AdvancedExtension `SWISH`; isa.md, scalar instructions `swish`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.swish(x[i])
