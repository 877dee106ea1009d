"""The instruction `xor` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_xor(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = a[i] ^ b[i]

    Bitwise exclusive or.

    Shapes: a, b and c have one length, (n,).
    Types: i32, i64, i16, i8, u32, u64, u16, u8.
    Source: isa.md, scalar instructions `xor`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] ^ b[i]
