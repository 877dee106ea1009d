"""The instruction `log` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, log

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_log(x: Array[T], y: Array[T]):
    """y[i] = log(x[i])

    The natural logarithm; -inf at 0, NaN below.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, MapOperation `Log`; isa.md, scalar instructions `log`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = log(x[i])
