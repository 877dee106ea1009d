"""Brings a vector to another type."""

import hologram
from hologram.language import Array, Element, get_global_id

S = Element(
    "S", "f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8", "bool"
)  # fmt: skip
T = Element(
    "T", "f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8", "bool"
)  # fmt: skip


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_cast(x: Array[S], y: Array[T]):
    """y[i] = x[i], in the type of y

    Floats round to the nearest, to even in the middle. Floats become integers without their fraction, the nearest that
    there is, NaN 0; integers wrap. What is not 0 becomes true. Of 8 bits f8E4M3FN has NaN for what is too large.

    Shapes: x and y have one length, (n,).
    Types: floats (f32, f64, f16, bf16, f8E4M3FN, f8E5M2), integers of 8 to 64 bits and bool, each to each.
    Source: isa.md section 2, `cvt`; backends.md, `CVT`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = T(x[i])
