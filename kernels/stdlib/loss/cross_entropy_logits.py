"""The cross entropy of logits and labels."""

import hologram
from hologram.language import Array, f32, block_id, exp, i32, lane_id, log, shared
from math import inf

from ..blocks import CHUNK, LANES, chunks, greatest_of_lanes, keep_chunk, sum_of_chunks


@hologram.kernel(lanes="logits.shape[0] * 128", block=128)
def cross_entropy_logits(logits: Array[f32, 2], labels: Array[i32], losses: Array[f32]):
    """losses[r] = log(sum(exp(logits[r] - m))) - (logits[r, labels[r]] - m), m = max(logits[r])

    `cross_entropy` of the softmax of each row with a label, which is a number of a column: another one traps.

    Shapes: logits is (rows, columns); labels and losses have (rows,).
    Types: f32.
    Source: core.md, `ops::loss::cross_entropy`; the order of sums in isa.md section 3.
    """
    row = block_id()
    lane = lane_id()
    n = logits.shape[1]
    part = shared(f32, 128)
    tree = shared(f32, 48)
    most = f32(-inf)
    for step in range(n // LANES):
        most = max(most, f32(logits[row, step * LANES + lane]))
    if lane < n % LANES:
        most = max(most, f32(logits[row, n // LANES * LANES + lane]))
    most = greatest_of_lanes(part, most)
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = f32(-0.0)
        for step in range(count // LANES):
            total += exp(f32(logits[row, first + step * LANES + lane]) - most)
        if lane < count % LANES:
            total += exp(f32(logits[row, first + count // LANES * LANES + lane]) - most)
        keep_chunk(part, tree, chunk, total)
    total = sum_of_chunks(tree, chunks(n))
    if lane == 0:
        losses[row] = f32(log(total) - (f32(logits[row, labels[row]]) - most))
