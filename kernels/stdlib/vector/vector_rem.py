"""The remainder of a division, with the sign of the dividend."""

import hologram
from hologram.language import Array, Element, get_global_id, rem

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_rem(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = a[i] - b[i] * trunc(a[i] / b[i]), exactly

    As C's `fmod` and `%`: least % -1 is 0, and an integer's remainder by zero ends the launch.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, arithmetic, `rem`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = rem(a[i], b[i])
