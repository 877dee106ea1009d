"""Puts rows into a matrix at their numbers, in two launches: which row goes where, and the rows."""

import hologram
from hologram.language import Array, Element, atomic_max, get_global_id, i32

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
Index = Element("Index", "i64", "i32")


@hologram.kernel(lanes="indices.shape[0]")
def scatter_winners(indices: Array[Index], winners: Array[i32]):
    """winners[r] = the greatest i with indices[i] == r, where there is one

    The first launch of a scatter: of equal indices the last one wins, on every device. An index that winners has no
    place for ends the launch with an error.

    Shapes: indices: (k,), k < 2 ** 31; winners: (m,), filled with -1 before.
    Types: indices are i64 or i32, winners i32.
    Source: isa.md section 3, `scatter`; section 2.
    """
    i = get_global_id()
    if i < indices.shape[0]:
        atomic_max(winners, indices[i], i32(i))


@hologram.kernel(
    lanes=("x.shape[1]", "x.shape[0]"),
    block=(64, 4),
    where=("x.shape[0] == indices.shape[0]", "x.shape[1] == y.shape[1]", "winners.shape[0] == y.shape[0]"),
)
def scatter(x: Array[T, 2], indices: Array[Index], winners: Array[i32], y: Array[T, 2]):
    """y[indices[i], j] = x[i, j]; of equal indices the last one wins, and the other rows of y stay

    The second launch: `winners` is what `scatter_winners` made. A vector is a matrix of one column.

    Shapes: x: (k, n), indices: (k,), winners: (m,), y: (m, n).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; indices are i64 or i32, winners i32.
    Source: isa.md section 3, `scatter`; section 2.
    """
    j = get_global_id(0)
    i = get_global_id(1)
    if i < x.shape[0] and j < x.shape[1]:
        if winners[indices[i]] == i32(i):
            y[indices[i], j] = x[i, j]
