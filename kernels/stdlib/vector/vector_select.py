"""Takes elements from one of two vectors."""

import hologram
from hologram.language import Array, Element, bool, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="p.shape[0] == a.shape[0] == b.shape[0] == c.shape[0]")
def vector_select(p: Array[bool], a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = a[i] where p[i] holds, else b[i]

    Shapes: all arrays have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; p is bool.
    Source: isa.md section 3, logic, `sel`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] if p[i] else b[i]
