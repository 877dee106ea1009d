"""The same elements along a new axis."""

import hologram
from hologram.language import Array, get_global_id

from ..shapes import T, quotient


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2]",
    where=("x.shape[0] == out.shape[0]", "x.shape[1] == out.shape[2]"),
)
def broadcast(x: Array[T, 2], out: Array[T, 3]):
    """out[o, a, i] = x[o, i]

    Broadcasting along an axis, whose size is that of out.

    Shapes: x is (outer, inner), out (outer, axis, inner): what is before and after the new axis is one axis each.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::is_broadcast_compatible_with`, `shape_rules::broadcast_shapes`.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2]:
        row = quotient(place, out.shape[2])
        o = quotient(row, out.shape[1])
        a = row - o * out.shape[1]
        i = place - row * out.shape[2]
        out[o, a, i] = x[o, i]
