"""The instruction `add` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_add(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = a[i] + b[i]

    a + b; integers wrap, floats round once.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, ops::math `vector_add`; core.md, LazyOp `Add`; backends.md, BinaryMapOperation `Add`; isa.md,
    scalar instructions `add`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] + b[i]
