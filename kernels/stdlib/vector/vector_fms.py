"""The instruction `fms` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, fms, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="d.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0] == d.shape[0]")
def vector_fms(a: Array[T], b: Array[T], c: Array[T], d: Array[T]):
    """d[i] = fms(a[i], b[i], c[i])

    a * b - c in one rounding; integers wrap.

    Shapes: all arrays have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: backends.md, SimpleExtension `FMS`; isa.md, scalar instructions `fms`.
    """
    i = get_global_id()
    if i < d.shape[0]:
        d[i] = fms(a[i], b[i], c[i])
