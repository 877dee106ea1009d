"""Scaling by learned factors."""

import hologram
from hologram.language import Array, Element, block_id, lane_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="x.shape[0] * 128", block=128)
def layer_scale(x: Array[T, 2], scale: Array[T], out: Array[T, 2]):
    """out[r, i] = x[r, i] * scale[i]

    Shapes: x and out are (rows, n), scale is (n,); more leading axes are rows.
    Types: f32, f64, f16, bf16; rounded once.
    Source: backends.md, `AdvancedExtension::LayerScale`; isa.md section 3, `layer_scale`.
    """
    row = block_id()
    for i in range(lane_id(), x.shape[1], 128):
        out[row, i] = x[row, i] * scale[i]
