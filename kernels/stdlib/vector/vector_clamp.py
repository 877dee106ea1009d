"""Brings elements into a range."""

import hologram
from hologram.language import Array, Element, clamp, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_clamp(x: Array[T], low: T, high: T, y: Array[T]):
    """y[i] = min(max(x[i], low), high)

    A NaN becomes `low`.

    Shapes: x and y have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: backends.md, `CLAMP`; isa.md section 2.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = clamp(x[i], low, high)
