"""The instruction `tanh` on each element. `make docs` writes this file from its declaration."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def tanh(x: Array[T], y: Array[T]):
    """y[i] = tanh(x[i])

    The hyperbolic tangent; keeps -0, +-1 at infinities.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, ops::activation `tanh`; backends.md, MapOperation `Tanh`; isa.md, scalar instructions `tanh`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.tanh(x[i])
