"""The sum of quantized numbers."""

import hologram
from hologram.language import Array, Element, f32, get_global_id, i32

Q = Element("Q", "i8", "u8", "i16", "u16")


@hologram.kernel(lanes="len(out)", where="a.shape[0] == b.shape[0] == out.shape[0]")
def qadd(
    a: Array[Q],
    b: Array[Q],
    out: Array[Q],
    a_scale: f32,
    a_zero: i32,
    b_scale: f32,
    b_zero: i32,
    scale: f32,
    zero: i32,
):
    """out[i] = saturate(round(((a[i] - a_zero) * a_scale + (b[i] - b_zero) * b_scale) / scale) + zero)

    Each array has its scale and its zero point. Each operation rounds once, the last one half to even.

    Shapes: All have one length, (n,).
    Types: i8, u8, i16, u16; computed in f32.
    Source: core.md, `quantized_ops::qadd`.
    """
    i = get_global_id()
    if i < len(out):
        x = f32(i32(a[i]) - a_zero) * a_scale
        y = f32(i32(b[i]) - b_zero) * b_scale
        out[i] = Q(round((x + y) / scale) + f32(zero))
