"""The instruction `log10` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, log10

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_log10(x: Array[T], y: Array[T]):
    """y[i] = log10(x[i])

    The logarithm to base 10; -inf at 0, NaN below.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md, scalar instructions `log10`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = log10(x[i])
