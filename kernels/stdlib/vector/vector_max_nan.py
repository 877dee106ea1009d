"""The instruction `max.nan` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, max_nan

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_max_nan(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = max_nan(a[i], b[i])

    The greater; of floats NaN wins (IEEE maximum), -0 < +0.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md, scalar instructions `max.nan`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = max_nan(a[i], b[i])
