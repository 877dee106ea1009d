"""Scaling by learned factors."""

import hologram
from hologram.language import Array, Element, block_id, lane_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(
    lanes="x.shape[0] * 128",
    block=128,
    where=("x.shape[0] == out.shape[0]", "x.shape[1] == out.shape[1]", "scale.shape[0] == x.shape[1]"),
)
def layer_scale(x: Array[T, 2], scale: Array[T], out: Array[T, 2]):
    """out[r, i] = x[r, i] * scale[i]

    Shapes: x and out are (rows, n), scale is (n,); more leading axes are rows.
    Types: f32, f64, f16, bf16; rounded once.
    Source: backends.md, `AdvancedExtension::LayerScale`; isa.md section 3, `layer_scale`.
    """
    row = block_id()
    for step in range((x.shape[1] + 127) >> 7):
        i = step * 128 + lane_id()
        if i < x.shape[1]:
            out[row, i] = x[row, i] * scale[i]
