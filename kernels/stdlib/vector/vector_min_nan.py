"""The lesser of two vectors' elements, where NaN wins."""

import hologram
from hologram.language import Array, Element, get_global_id, min_nan

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_min_nan(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = min(a[i], b[i]), NaN where one is

    IEEE 754-2019 minimum: as numpy and PyTorch have it.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 2, `min.nan`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = min_nan(a[i], b[i])
