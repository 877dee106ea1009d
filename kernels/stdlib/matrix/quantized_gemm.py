"""Products of matrices of 8-bit integers, added in i32: to integers of 8 bits, to f32, and as they are."""

import hologram
from hologram.kernels.stdlib.products import CLAMPED, PLAIN, SCALED, Q, product_of_integers
from hologram.language import Array, f32, i32


@hologram.kernel(
    lanes=("(c.shape[1] + 63) // 64 * 256", "(c.shape[0] + 63) // 64"),
    block=256,
    where=("a.shape[0] == c.shape[0]", "a.shape[1] == b.shape[0]", "b.shape[1] == c.shape[1]"),
)
def quantized_gemm(a: Array[Q, 2], b: Array[Q, 2], c: Array[Q, 2], a_scale: f32, b_scale: f32, c_scale: f32):
    """c[i, j] = round(s * (the sum of a[i, k] * b[k, j] over k)), with s = a_scale * b_scale / c_scale

    Sums are i32 and wrap. Halves round to even, and what the type does not hold becomes its least or greatest number.

    Shapes: a: (m, k), b: (k, n), c: (m, n).
    Types: a and b are i8 or u8, and c is like them.
    Source: backends.md, `QuantizedGEMM`; isa.md section 3.
    """
    product_of_integers(a, b, c, 0, 0, 0, a_scale * b_scale / c_scale, CLAMPED)


@hologram.kernel(
    lanes=("(c.shape[1] + 63) // 64 * 256", "(c.shape[0] + 63) // 64"),
    block=256,
    where=("a.shape[0] == c.shape[0]", "a.shape[1] == b.shape[0]", "b.shape[1] == c.shape[1]"),
)
def quantized_gemm_f32(a: Array[Q, 2], b: Array[Q, 2], c: Array[f32, 2], a_scale: f32, b_scale: f32):
    """c[i, j] = a_scale * b_scale * (the sum of a[i, k] * b[k, j] over k)

    Sums are i32 and wrap.

    Shapes: a: (m, k), b: (k, n), c: (m, n).
    Types: a and b are i8 or u8, and c is f32.
    Source: backends.md, `QuantizedGEMM`; isa.md section 3.
    """
    product_of_integers(a, b, c, 0, 0, 0, a_scale * b_scale, SCALED)


@hologram.kernel(
    lanes=("(c.shape[1] + 63) // 64 * 256", "(c.shape[0] + 63) // 64"),
    block=256,
    where=("a.shape[0] == c.shape[0]", "a.shape[1] == b.shape[0]", "b.shape[1] == c.shape[1]"),
)
def quantized_gemm_i32(a: Array[Q, 2], b: Array[Q, 2], c: Array[i32, 2]):
    """c[i, j] = the sum of a[i, k] * b[k, j] over k

    Sums are i32 and wrap.

    Shapes: a: (m, k), b: (k, n), c: (m, n).
    Types: a and b are i8 or u8, and c is i32.
    Source: backends.md, `QuantizedGEMM`; isa.md section 3.
    """
    product_of_integers(a, b, c, 0, 0, 0, 1, PLAIN)
