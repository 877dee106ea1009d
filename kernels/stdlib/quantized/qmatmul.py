"""The product of quantized matrices."""

import hologram
from hologram.language import Array, Element, block_id, f32, i32, lane_id, local, shared

from ..products import DEPTH, SIDE, multiply

Q = Element("Q", "i8", "u8")


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
    top = block_id(1) * SIDE
    left = block_id() * SIDE
    left_tile = shared(i32, DEPTH, SIDE + 1)
    right_tile = shared(i32, DEPTH, SIDE + 1)
    total = local(i32, 4, 4)
    multiply(left_tile, right_tile, total, a, b, top, left, a_zero, b_zero, 0, 0)
    for r in range(4):
        for c in range(4):
            row = top + (lane_id() >> 4) + 16 * r
            column = left + (lane_id() & 15) + 16 * c
            if row < out.shape[0] and column < out.shape[1]:
                out[row, column] = Q(round(f32(total[r, c]) * factor) + f32(zero))
