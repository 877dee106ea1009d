"""Every so many elements of an axis."""

import hologram
from hologram.language import Array, i64

from ..shapes import T, take


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
    take(x, out, start, step)
