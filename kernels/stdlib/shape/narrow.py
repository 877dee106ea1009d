"""A part of an axis."""

import hologram
from hologram.language import Array, i64

from ..shapes import T, take


@hologram.kernel(
    lanes="out.shape[0] * out.shape[1] * out.shape[2]",
    where=("x.shape[0] == out.shape[0]", "x.shape[2] == out.shape[2]"),
)
def narrow(x: Array[T, 3], out: Array[T, 3], start: i64):
    """out[o, a, i] = x[o, start + a, i]

    The elements from `start` on along an axis; beyond its end traps.

    Shapes: x is (outer, axis, inner), out (outer, length, inner): what is before and after an axis is one axis each.
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::narrow`.
    """
    take(x, out, start, 1)
