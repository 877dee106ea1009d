"""Padding of an axis."""

import hologram
from hologram.language import Array, get_global_id, i64

from ..shapes import T, quotient


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2]",
    where=("x.shape[0] == out.shape[0]", "x.shape[2] == out.shape[2]"),
)
def pad(x: Array[T, 3], out: Array[T, 3], before: i64, value: T):
    """out[o, a, i] = x[o, a - before, i] where there is one, else value

    `before` elements of `value` stand before an axis, and as many after it as out has room for.

    Shapes: x is (outer, axis, inner), out (outer, length, inner): what is before and after an axis is one axis each.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: isa.md section 3, `copy` and `fill` of parts; backends.md, the padding of `Conv2D`.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2]:
        row = quotient(place, out.shape[2])
        o = quotient(row, out.shape[1])
        a = row - o * out.shape[1]
        i = place - row * out.shape[2]
        if a >= before and a - before < x.shape[1]:
            out[o, a, i] = x[o, a - before, i]
        else:
            out[o, a, i] = value
