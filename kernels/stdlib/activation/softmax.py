"""Softmax, of rows."""

import hologram
from hologram.kernels.stdlib.blocks import CHUNK, LANES, SUM, chunks, greatest_of_lanes, keep_chunk, total_of_chunks
from hologram.language import Array, Element, block_id, exp, lane_id, least, shared

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="x.shape[0] * 128", block=128, where=("x.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"))
def softmax(x: Array[T, 2], y: Array[T, 2]):
    """y[i, j] = e ** (x[i, j] - m) / s, with m the greatest x[i, k] and s the sum of e ** (x[i, k] - m) over k

    The sum has the order of the ISA; f16 and bf16 are computed in f32. A block takes a row, and reads it three times.

    Shapes: x and y: (m, n). A row with a NaN or +inf, and one of -inf alone, becomes NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::activation::softmax`; backends.md, `Softmax`; isa.md section 3.
    """
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    lane = lane_id()
    row = block_id()
    n = x.shape[1]
    most = least(T.wide)
    for step in range(n >> 7):
        most = max(most, T.wide(x[row, step * LANES + lane]))
    if lane < n & 127:
        most = max(most, T.wide(x[row, (n >> 7) * LANES + lane]))
    most = greatest_of_lanes(part, most)
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = -T.wide(0)
        for step in range(count >> 7):
            total += exp(T.wide(x[row, first + step * LANES + lane]) - most)
        if lane < count & 127:
            total += exp(T.wide(x[row, first + (count >> 7) * LANES + lane]) - most)
        keep_chunk(part, tree, chunk, total, SUM)
    total = total_of_chunks(tree, chunks(n), SUM)
    for step in range(n >> 7):
        j = step * LANES + lane
        y[row, j] = T(exp(T.wide(x[row, j]) - most) / total)
    if lane < n & 127:
        j = (n >> 7) * LANES + lane
        y[row, j] = T(exp(T.wide(x[row, j]) - most) / total)
