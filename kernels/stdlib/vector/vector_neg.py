"""The instruction `neg` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_neg(x: Array[T], y: Array[T]):
    """y[i] = -x[i]

    -x; the least integer wraps, -0 and +0 swap.

    Shapes: x and y have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, ops::math `neg`; backends.md, MapOperation `Neg`; isa.md, scalar instructions `neg`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = -x[i]
