"""The instruction `not` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_not(x: Array[T], y: Array[T]):
    """y[i] = ~x[i]

    Bitwise complement.

    Shapes: x and y have one length, (n,).
    Types: i32, i64, i16, i8, u32, u64, u16, u8.
    Source: isa.md, scalar instructions `not`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = ~x[i]
