"""The transpose of a matrix."""

import hologram
from hologram.language import Array, Element, barrier, block_id, lane_id, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
TILE = 32


@hologram.kernel(
    lanes=("(x.shape[1] + 31) // 32 * 32", "(x.shape[0] + 31) // 32 * 8"),
    block=(32, 8),
    where=("x.shape[0] == y.shape[1]", "x.shape[1] == y.shape[0]"),
)
def transpose(x: Array[T, 2], y: Array[T, 2]):
    """y[j, i] = x[i, j]

    A block takes 32 by 32 elements by way of shared memory, so that both matrices are read and written along rows. Its
    rows are one element longer there: lanes that read along a column meet no bank twice.

    Shapes: x: (m, n), y: (n, m).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `Tensor::transpose`; isa.md section 3, `transpose`.
    """
    tile = shared(T, TILE, 33)
    place = lane_id()
    lane = lane_id(1)
    row = block_id(1) * TILE
    column = block_id() * TILE
    for step in range(4):
        i = lane + 8 * step
        if row + i < x.shape[0] and column + place < x.shape[1]:
            tile[i, place] = x[row + i, column + place]
    barrier()
    for step in range(4):
        j = lane + 8 * step
        if column + j < x.shape[1] and row + place < x.shape[0]:
            y[column + j, row + place] = tile[place, j]
