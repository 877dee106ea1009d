"""The logistic function."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def sigmoid(x: Array[T], y: Array[T]):
    """y[i] = 1 / (1 + e ** -x[i])

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::activation::sigmoid`; isa.md section 3, `parallel_map`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.sigmoid(x[i])
