"""Elements in their order, from a view that has them in another."""

import hologram
from hologram.language import Array, StridedArray

from ..shapes import T, reorder


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
    reorder(x, out, 0, 1, 2, 3)
