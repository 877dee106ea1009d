"""The instruction `sigmoid` on each element. `make docs` writes this file from its declaration."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def sigmoid(x: Array[T], y: Array[T]):
    """y[i] = sigmoid(x[i])

    1 / (1 + exp(-x)); 0 at -inf, 1 at +inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, ops::activation `sigmoid`; backends.md, MapOperation `Sigmoid`; isa.md, scalar instructions
    `sigmoid`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.sigmoid(x[i])
