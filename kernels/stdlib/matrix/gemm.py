"""The product of two matrices."""

import hologram
from hologram.kernels.stdlib.products import T, product
from hologram.language import Array, Constant


@hologram.kernel(
    lanes=("(c.shape[1] + 63) // 64 * 256", "(c.shape[0] + 63) // 64"),
    block=256,
    where=(
        "c.shape[0] == (a.shape[1] if TRANSPOSE_A else a.shape[0])",
        "c.shape[1] == (b.shape[0] if TRANSPOSE_B else b.shape[1])",
        "(a.shape[0] if TRANSPOSE_A else a.shape[1]) == (b.shape[1] if TRANSPOSE_B else b.shape[0])",
    ),
)
def gemm(
    a: Array[T, 2],
    b: Array[T, 2],
    c: Array[T, 2],
    alpha: T.wide,
    beta: T.wide,
    TRANSPOSE_A: Constant = 0,
    TRANSPOSE_B: Constant = 0,
):
    """c[i, j] = alpha * (the sum of a[i, k] * b[k, j] over k) + beta * c[i, j]

    With TRANSPOSE_A = 1 a is given as its transpose, a[k, i], and likewise b. Where beta is 0, c is not read. f16 and
    bf16 are multiplied and added in f32. A block makes 64 by 64 elements of c from tiles in shared memory.

    Shapes: a: (m, k), b: (k, n), c: (m, n).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `ops::linalg::gemm`; backends.md, `GEMM`; isa.md section 3: a tolerance, not bits.
    """
    product(a, b, c, alpha, beta, TRANSPOSE_A, TRANSPOSE_B, 0, 0)
