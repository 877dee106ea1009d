"""Elements in their order, from a view that has them in another."""

import hologram
from hologram.language import Array, Element, StridedArray, get_global_id

from ..blocks import quotient

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2] * out.shape[3]",
    where=(
        "x.shape[0] == out.shape[0]",
        "x.shape[1] == out.shape[1]",
        "x.shape[2] == out.shape[2]",
        "x.shape[3] == out.shape[3]",
    ),
)
def contiguous(x: StridedArray[T, 4], out: Array[T, 4]):
    """out[i, j, k, m] = x[i, j, k, m]

    x is a view with strides of its own: one that is transposed, permuted, narrowed, or broadcast by strides of 0.

    Shapes: x and out have one shape of four axes; fewer have sizes of 1 before them.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::contiguous`.
    """
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2] * out.shape[3]:
        row = quotient(place, out.shape[3])
        plane = quotient(row, out.shape[2])
        i = quotient(plane, out.shape[1])
        j = plane - i * out.shape[1]
        k = row - plane * out.shape[2]
        m = place - row * out.shape[3]
        out[i, j, k, m] = x[i, j, k, m]
