"""The product of quantized matrices."""

import hologram
from hologram.language import Array, f32, i32

from ..products import SHIFTED, Q, product_of_integers


@hologram.kernel(
    lanes=("(out.shape[1] + 63) // 64 * 256", "(out.shape[0] + 63) // 64"),
    block=256,
    where=("a.shape[0] == out.shape[0]", "b.shape[1] == out.shape[1]", "a.shape[1] == b.shape[0]"),
)
def qmatmul(a: Array[Q, 2], b: Array[Q, 2], out: Array[Q, 2], a_zero: i32, b_zero: i32, zero: i32, factor: f32):
    """out[i, j] = saturate(round(sum_k((a[i, k] - a_zero) * (b[k, j] - b_zero)) * factor) + zero)

    `factor` is a_scale * b_scale / scale. The sum is one of i32, which wraps; its product with the factor rounds once,
    then half to even, and saturates at the ends of the type. Blocks of 64 x 64, by tiles in shared memory.

    Shapes: a is (m, k), b (k, n), out (m, n).
    Types: i8, u8; summed in i32.
    Source: core.md, `quantized_ops::qmatmul`, `QuantizedTensor::qmatmul`.
    """
    product_of_integers(a, b, out, a_zero, b_zero, zero, factor, SHIFTED)
