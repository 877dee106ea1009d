"""One element of an axis."""

import hologram
from hologram.language import Array, get_global_id, i64

from ..shapes import T, quotient


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1]", where=("x.shape[0] == out.shape[0]", "x.shape[2] == out.shape[1]")
)
def select(x: Array[T, 3], out: Array[T, 2], index: i64):
    """out[o, i] = x[o, index, i]

    An index beyond the axis traps.

    Shapes: x is (outer, axis, inner), out (outer, inner): what is before and after the axis is one axis each.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::select`.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1]:
        o = quotient(place, out.shape[1])
        i = place - o * out.shape[1]
        out[o, i] = x[o, index, i]
