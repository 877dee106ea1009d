"""Products of pairs of matrices."""

import hologram
from hologram.kernels.stdlib.products import DEPTH, SIDE, clear, load_columns_of, load_rows_of, multiply_tiles
from hologram.language import Array, Constant, Element, block_id, lane_id, local, muladd, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(
    lanes=("(c.shape[2] + 63) // 64 * 256", "(c.shape[1] + 63) // 64", "c.shape[0]"),
    block=256,
    where=(
        "a.shape[0] == b.shape[0] == c.shape[0]",
        "c.shape[1] == (a.shape[2] if TRANSPOSE_A else a.shape[1])",
        "c.shape[2] == (b.shape[1] if TRANSPOSE_B else b.shape[2])",
        "(a.shape[1] if TRANSPOSE_A else a.shape[2]) == (b.shape[2] if TRANSPOSE_B else b.shape[1])",
    ),
)
def batched_gemm(
    a: Array[T, 3],
    b: Array[T, 3],
    c: Array[T, 3],
    alpha: T.wide,
    beta: T.wide,
    TRANSPOSE_A: Constant = 0,
    TRANSPOSE_B: Constant = 0,
):
    """c[z, i, j] = alpha * (the sum of a[z, i, k] * b[z, k, j] over k) + beta * c[z, i, j]

    With TRANSPOSE_A = 1 each a is given as its transpose, a[z, k, i], and likewise b. Where beta is 0, c is not read.
    f16 and bf16 are multiplied and added in f32.

    Shapes: a: (z, m, k), b: (z, k, n), c: (z, m, n).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `Tensor::bmm`; backends.md, `BatchedGEMM`; isa.md section 3: a tolerance, not bits.
    """
    left = shared(T.wide, DEPTH, SIDE + 1)
    right = shared(T.wide, DEPTH, SIDE + 1)
    sums = local(T.wide, 4, 4)
    page = block_id(2)
    row = block_id(1) * SIDE
    column = block_id() * SIDE
    clear(sums)
    for depth in range(0, a.shape[1] if TRANSPOSE_A else a.shape[2], DEPTH):
        if TRANSPOSE_A:
            load_columns_of(left, a, page, row, depth)
        else:
            load_rows_of(left, a, page, row, depth)
        if TRANSPOSE_B:
            load_rows_of(right, b, page, column, depth)
        else:
            load_columns_of(right, b, page, column, depth)
        multiply_tiles(left, right, sums)
    for p in range(4):
        for q in range(4):
            i = row + (lane_id() >> 4) + 16 * p
            j = column + (lane_id() & 15) + 16 * q
            if i < c.shape[1] and j < c.shape[2]:
                found = alpha * sums[p, q]
                c[page, i, j] = T(found if beta == T.wide(0) else muladd(beta, T.wide(c[page, i, j]), found))
