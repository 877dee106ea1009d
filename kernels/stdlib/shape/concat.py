"""Two arrays, one after the other along an axis."""

import hologram
from hologram.language import Array, get_global_id

from ..shapes import T, quotient


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2]",
    where=(
        "a.shape[0] == b.shape[0] == out.shape[0]",
        "a.shape[1] + b.shape[1] == out.shape[1]",
        "a.shape[2] == b.shape[2] == out.shape[2]",
    ),
)
def concat(a: Array[T, 3], b: Array[T, 3], out: Array[T, 3]):
    """out[o, k, i] = a[o, k, i] where k < a.shape[1], else b[o, k - a.shape[1], i]

    More arrays are concatenated in turn.

    Shapes: a is (outer, m, inner), b (outer, n, inner), out (outer, m + n, inner).
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: isa.md section 3, `copy` of parts.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2]:
        row = quotient(place, out.shape[2])
        o = quotient(row, out.shape[1])
        k = row - o * out.shape[1]
        i = place - row * out.shape[2]
        out[o, k, i] = a[o, k, i] if k < a.shape[1] else b[o, k - a.shape[1], i]
