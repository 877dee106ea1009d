"""The cross entropy of logits and labels."""

from math import inf

import hologram
from hologram.language import Array, Element, block_id, exp, i32, lane_id, log, shared

from ..blocks import CHUNK, LANES, SUM, chunks, greatest_of_lanes, keep_chunk, total_of_chunks

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(
    lanes="logits.shape[0] * 128",
    block=128,
    where=("labels.shape[0] == logits.shape[0]", "losses.shape[0] == logits.shape[0]"),
)
def cross_entropy_logits(logits: Array[T, 2], labels: Array[i32], losses: Array[T]):
    """losses[r] = log(sum(exp(logits[r] - m))) - (logits[r, labels[r]] - m), m = max(logits[r])

    `cross_entropy` of the softmax of each row with a label, which is a number of a column: another one traps.

    Shapes: logits is (rows, columns); labels and losses have (rows,).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32. labels are i32.
    Source: core.md, `ops::loss::cross_entropy`; the order of sums in isa.md section 3.
    """
    row = block_id()
    lane = lane_id()
    n = logits.shape[1]
    part = shared(T.wide, 128)
    tree = shared(T.wide, 48)
    most = T.wide(-inf)
    for step in range((n + LANES - 1) >> 7):
        i = step * LANES + lane
        if i < n:
            most = max(most, T.wide(logits[row, i]))
    most = greatest_of_lanes(part, most)
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = T.wide(-0.0)
        for step in range((count + LANES - 1) >> 7):
            i = step * LANES + lane
            if i < count:
                total += exp(T.wide(logits[row, first + i]) - most)
        keep_chunk(part, tree, chunk, total, SUM)
    total = total_of_chunks(tree, chunks(n), SUM)
    if lane == 0:
        losses[row] = T(log(total) - (T.wide(logits[row, labels[row]]) - most))
