"""Small integers as floats."""

import hologram
from hologram.language import Array, Element, f32, get_global_id, i32

Q = Element("Q", "i8", "u8", "i16", "u16")


@hologram.kernel(lanes="len(out)", where="x.shape[0] == out.shape[0]")
def dequantize(x: Array[Q], out: Array[f32], scale: f32, zero_point: i32):
    """out[i] = (x[i] - zero_point) * scale

    The difference is exact, the product rounds once.

    Shapes: x and out have one length, (n,).
    Types: x is i8, u8, i16 or u16, out f32.
    Source: core.md, `QuantizedTensor::dequantize`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = f32(i32(x[i]) - zero_point) * scale
