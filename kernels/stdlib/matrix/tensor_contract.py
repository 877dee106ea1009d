"""The contraction of a tensor of three axes with a matrix."""

import hologram
from hologram.kernels.stdlib.products import T, product
from hologram.language import Array


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
    product(a, b, c, 1, 0, 0, 0, 1, 0)
