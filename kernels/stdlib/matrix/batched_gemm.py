"""Products of pairs of matrices."""

import hologram
from hologram.kernels.stdlib.products import T, product
from hologram.language import Array, Constant


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
    product(a, b, c, alpha, beta, TRANSPOSE_A, TRANSPOSE_B, 1, 1)
