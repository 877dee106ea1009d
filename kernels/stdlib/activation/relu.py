"""The instruction `relu` on each element. `make docs` writes this file from its declaration."""

import hologram
import hologram.language as hl
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="y.shape[0]", where="x.shape[0] == y.shape[0]")
def relu(x: Array[T], y: Array[T]):
    """y[i] = relu(x[i])

    +0 where x < 0, else x: NaN and -0 stay.

    Shapes: x and y have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, ops::math `relu`; backends.md, MapOperation `Relu`; isa.md, scalar instructions `relu`.
    """
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = hl.relu(x[i])
