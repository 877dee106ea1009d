"""Floats as small integers."""

import hologram
from hologram.language import Array, Element, f32, get_global_id, i32

Q = Element("Q", "i8", "u8", "i16", "u16")


@hologram.kernel(lanes="len(out)", where="x.shape[0] == out.shape[0]")
def quantize(x: Array[f32], out: Array[Q], scale: f32, zero_point: i32):
    """out[i] = saturate(round(x[i] / scale) + zero_point)

    Rounds half to even, and saturates at the ends of the type. NaN gives 0.

    Shapes: x and out have one length, (n,).
    Types: x is f32, out i8, u8, i16 or u16.
    Source: core.md, `QuantizedTensor::quantize`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = Q(round(x[i] / scale) + f32(zero_point))
