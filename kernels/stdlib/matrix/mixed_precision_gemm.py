"""The product of two matrices of narrow floats, in f32."""

import hologram
from hologram.kernels.stdlib.products import DEPTH, SIDE, clear, multiply_tiles
from hologram.language import Array, Element, block_id, f32, lane_id, local, shared

A = Element("A", "f16", "bf16", "f8E4M3FN", "f8E5M2")
B = Element("B", "f16", "bf16", "f8E4M3FN", "f8E5M2")


@hologram.kernel(
    lanes=("(c.shape[1] + 63) // 64 * 256", "(c.shape[0] + 63) // 64"),
    block=256,
    where=("a.shape[0] == c.shape[0]", "a.shape[1] == b.shape[0]", "b.shape[1] == c.shape[1]"),
)
def mixed_precision_gemm(a: Array[A, 2], b: Array[B, 2], c: Array[f32, 2]):
    """c[i, j] = the sum of a[i, k] * b[k, j] over k

    Products are exact in f32, and added in f32.

    Shapes: a: (m, k), b: (k, n), c: (m, n).
    Types: a and b are f16, bf16, f8E4M3FN or f8E5M2, each for itself, and c is f32.
    Source: backends.md, `MixedPrecisionGEMM`; isa.md section 3: a tolerance, not bits.
    """
    left = shared(f32, DEPTH, SIDE + 1)
    right = shared(f32, DEPTH, SIDE + 1)
    sums = local(f32, 4, 4)
    m = c.shape[0]
    n = c.shape[1]
    depth = a.shape[1]
    lane = lane_id()
    row = block_id(1) * SIDE
    column = block_id() * SIDE
    clear(sums)
    for first in range(0, depth, DEPTH):
        for part in range(4):
            k = lane & 15
            i = (lane >> 4) + 16 * part
            inside = row + i < m and first + k < depth
            left[k, i] = f32(a[row + i, first + k]) if inside else f32(0)
        for part in range(4):
            j = lane & 63
            k = (lane >> 6) + 4 * part
            inside = first + k < depth and column + j < n
            right[k, j] = f32(b[first + k, column + j]) if inside else f32(0)
        multiply_tiles(left, right, sums)
    for p in range(4):
        for q in range(4):
            i = row + (lane >> 4) + 16 * p
            j = column + (lane & 15) + 16 * q
            if i < m and j < n:
                c[i, j] = sums[p, q]
