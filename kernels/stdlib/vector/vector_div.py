"""The instruction `div` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, div, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_div(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = div(a[i], b[i])

    a / b; integers truncate toward zero, least / -1 wraps, division by zero traps.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, ops::math `vector_div`; backends.md, BinaryMapOperation `Div`; isa.md, scalar instructions
    `div`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = div(a[i], b[i])
