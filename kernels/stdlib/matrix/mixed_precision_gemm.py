"""The product of two matrices of narrow floats, in f32."""

import hologram
from hologram.kernels.stdlib.products import DEPTH, SIDE, multiply
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
    multiply(left, right, sums, a, b, 0, 0, 0, 0, 0, 0)
    for p in range(4):
        for q in range(4):
            i = block_id(1) * SIDE + (lane_id() >> 4) + 16 * p
            j = block_id() * SIDE + (lane_id() & 15) + 16 * q
            if i < c.shape[0] and j < c.shape[1]:
                c[i, j] = sums[p, q]
