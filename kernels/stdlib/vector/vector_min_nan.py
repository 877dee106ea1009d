"""The instruction `min.nan` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, min_nan

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_min_nan(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = min_nan(a[i], b[i])

    The lesser; of floats NaN wins (IEEE minimum), -0 < +0.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md, scalar instructions `min.nan`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = min_nan(a[i], b[i])
