"""GELU, by the error function."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def gelu(x: Array[T], y: Array[T]):
    """y[i] = x[i] * (1 + erf(x[i] / sqrt(2))) / 2

    -0 at -inf.

    Shapes: x and y have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::activation::gelu`; backends.md, `GELU`; isa.md section 3, `parallel_map`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.gelu(x[i])
