"""The contraction of a tensor of three axes with a matrix."""

import hologram
from hologram.kernels.stdlib.products import DEPTH, SIDE, clear, load_columns, load_rows_of, multiply_tiles
from hologram.language import Array, Element, block_id, lane_id, local, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(
    lanes=("(c.shape[2] + 63) // 64 * 256", "(c.shape[1] + 63) // 64", "c.shape[0]"),
    block=256,
    where=(
        "a.shape[0] == c.shape[0]",
        "a.shape[1] == c.shape[1]",
        "a.shape[2] == b.shape[0]",
        "b.shape[1] == c.shape[2]",
    ),
)
def tensor_contract(a: Array[T, 3], b: Array[T, 2], c: Array[T, 3]):
    """c[i, j, k] = the sum of a[i, j, l] * b[l, k] over l

    f16 and bf16 are multiplied and added in f32. Other contractions are this one of arrays whose axes are permuted and
    joined.

    Shapes: a: (i, j, l), b: (l, k), c: (i, j, k).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: backends.md, `TensorContract`; isa.md section 3: a tolerance, not bits.
    """
    left = shared(T.wide, DEPTH, SIDE + 1)
    right = shared(T.wide, DEPTH, SIDE + 1)
    sums = local(T.wide, 4, 4)
    page = block_id(2)
    row = block_id(1) * SIDE
    column = block_id() * SIDE
    clear(sums)
    for depth in range(0, a.shape[2], DEPTH):
        load_rows_of(left, a, page, row, depth)
        load_columns(right, b, column, depth, 0)
        multiply_tiles(left, right, sums)
    for p in range(4):
        for q in range(4):
            i = row + (lane_id() >> 4) + 16 * p
            j = column + (lane_id() & 15) + 16 * q
            if i < c.shape[1] and j < c.shape[2]:
                c[page, i, j] = T(sums[p, q])
