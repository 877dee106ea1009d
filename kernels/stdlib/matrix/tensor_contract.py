"""The contraction of a tensor of three axes with a matrix."""

import hologram
from hologram.kernels.stdlib.products import DEPTH, SIDE, clear, multiply_tiles
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
    m = c.shape[1]
    n = c.shape[2]
    depth = a.shape[2]
    lane = lane_id()
    row = block_id(1) * SIDE
    column = block_id() * SIDE
    clear(sums)
    for first in range(0, depth, DEPTH):
        for part in range(4):
            k = lane & 15
            i = (lane >> 4) + 16 * part
            inside = row + i < m and first + k < depth
            left[k, i] = T.wide(a[page, row + i, first + k]) if inside else T.wide(0)
        for part in range(4):
            j = lane & 63
            k = (lane >> 6) + 4 * part
            inside = first + k < depth and column + j < n
            right[k, j] = T.wide(b[first + k, column + j]) if inside else T.wide(0)
        multiply_tiles(left, right, sums)
    for p in range(4):
        for q in range(4):
            i = row + (lane >> 4) + 16 * p
            j = column + (lane & 15) + 16 * q
            if i < m and j < n:
                c[page, i, j] = T(sums[p, q])
