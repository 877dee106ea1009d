"""Every so many elements of an axis."""

import hologram
from hologram.language import Array, Element, get_global_id, i64

from ..blocks import quotient

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2]",
    where=("x.shape[0] == out.shape[0]", "x.shape[2] == out.shape[2]"),
)
def slice(x: Array[T, 3], out: Array[T, 3], start: i64, step: i64):
    """out[o, a, i] = x[o, start + a * step, i]

    The elements from `start` on along an axis, `step` apart; a negative one goes backwards. Beyond its ends traps.

    Shapes: x is (outer, axis, inner), out (outer, length, inner): what is before and after an axis is one axis each.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::narrow`, here with steps.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2]:
        row = quotient(place, out.shape[2])
        o = quotient(row, out.shape[1])
        a = row - o * out.shape[1]
        i = place - row * out.shape[2]
        out[o, a, i] = x[o, start + a * step, i]
