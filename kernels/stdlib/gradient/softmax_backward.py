"""The gradient of softmax."""

import hologram
from hologram.language import Array, Element, block_id, lane_id, shared

from ..blocks import CHUNK, LANES, SUM, chunks, keep_chunk, total_of_chunks

T = Element("T", "f32", "f64", "f16", "bf16")


def products(grad, y, row, chunk, none):
    """Return what a lane adds up of a chunk of a row of grad * y. `none` is -0 of the type that sums have."""
    lane = lane_id()
    first = chunk * CHUNK
    count = min(y.shape[1] - first, CHUNK)
    total = none
    for step in range((count + LANES - 1) >> 7):
        i = step * LANES + lane
        if i < count:
            total += (grad[row, first + i] + none) * (y[row, first + i] + none)
    return total


@hologram.kernel(
    lanes="y.shape[0] * 128",
    block=128,
    where=("grad.shape[0] == y.shape[0] == out.shape[0]", "grad.shape[1] == y.shape[1] == out.shape[1]"),
)
def softmax_backward(grad: Array[T, 2], y: Array[T, 2], out: Array[T, 2]):
    """out[r, i] = y[r, i] * (grad[r, i] - sum_j(grad[r, j] * y[r, j]))

    y is what softmax gave, along each row. Each operation is rounded as written.

    Shapes: All are (rows, n); more leading axes are rows.
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: core.md, `grad_ops::softmax_backward`; the order of sums in isa.md section 3.
    """
    row = block_id()
    n = y.shape[1]
    part = shared(T.wide, 128)
    tree = shared(T.wide, 48)
    for chunk in range(chunks(n)):
        keep_chunk(part, tree, chunk, products(grad, y, row, chunk, T.wide(-0.0)), SUM)
    sum = total_of_chunks(tree, chunks(n), SUM)
    for step in range((n + LANES - 1) >> 7):
        i = step * LANES + lane_id()
        if i < n:
            out[row, i] = T(T.wide(y[row, i]) * (T.wide(grad[row, i]) - sum))
