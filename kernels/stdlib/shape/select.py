"""One element of an axis."""

import hologram
from hologram.language import Array, Element, get_global_id, i64

from ..blocks import quotient

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")


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
