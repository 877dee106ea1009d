"""Takes rows of a matrix by their numbers."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
Index = Element("Index", "i64", "i32")


@hologram.kernel(
    lanes=("y.shape[1]", "y.shape[0]"),
    block=(64, 4),
    where=("indices.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"),
)
def gather(x: Array[T, 2], indices: Array[Index], y: Array[T, 2]):
    """y[i, j] = x[indices[i], j]

    An index that x has no row for ends the launch with an error. A vector is a matrix of one column.

    Shapes: x: (m, n), indices: (k,), y: (k, n).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; indices are i64 or i32.
    Source: isa.md section 3, `gather`.
    """
    j = get_global_id(0)
    i = get_global_id(1)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] = x[indices[i], j]
