"""Axes in another order."""

import hologram
from hologram.language import Array, Constant

from ..shapes import T, reorder


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2] * out.shape[3]",
    where="x.shape[0] * x.shape[1] * x.shape[2] * x.shape[3]"
    " == out.shape[0] * out.shape[1] * out.shape[2] * out.shape[3]",
)
def permute(
    x: Array[T, 4],
    out: Array[T, 4],
    FIRST: Constant = 0,
    SECOND: Constant = 2,
    THIRD: Constant = 1,
    FOURTH: Constant = 3,
):
    """out[i0, i1, i2, i3] = x[j], j[FIRST] = i0, j[SECOND] = i1, j[THIRD] = i2, j[FOURTH] = i3

    Axis 0 of out is axis FIRST of x, and so on. Fewer axes have sizes of 1 before them. `transpose` is faster where two
    axes are changed and the last one is among them.

    Shapes: x has four axes, out has them in the order that the constants say.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::permute`.
    """
    assert 1 << FIRST | 1 << SECOND | 1 << THIRD | 1 << FOURTH == 15, "each axis is named once"
    reorder(x, out, FIRST, SECOND, THIRD, FOURTH)
