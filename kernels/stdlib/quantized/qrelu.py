"""relu of quantized numbers."""

import hologram
from hologram.language import Array, Element, get_global_id, i32

Q = Element("Q", "i8", "u8", "i16", "u16")


@hologram.kernel(lanes="len(out)", where="x.shape[0] == out.shape[0]")
def qrelu(x: Array[Q], out: Array[Q], zero_point: i32):
    """out[i] = max(x[i], zero_point)

    x and out have one scale and one zero point, which is a number of their type.

    Shapes: x and out have one length, (n,).
    Types: i8, u8, i16, u16.
    Source: core.md, `quantized_ops::qrelu`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = Q(max(i32(x[i]), zero_point))
