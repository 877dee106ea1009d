"""Fills a vector with one value."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]")
def fill(value: T, y: Array[T]):
    """y[i] = value

    Shapes: y: (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::memory::fill`; isa.md section 3, array level.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = value
