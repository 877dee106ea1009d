"""Signs: -1, 0 or 1."""

import hologram
from hologram.language import Array, Element, get_global_id, sign

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def vector_sign(x: Array[T], y: Array[T]):
    """y[i] = -1, 0 or 1, as x[i] is below, at or above 0

    -0 and NaN stay; of unsigned integers it is 0 or 1.

    Shapes: x and y have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `parallel_map` (sign); section 2.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = sign(x[i])
