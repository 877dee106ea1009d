"""Group normalisation."""

import hologram
from hologram.language import Array, f32, block_id, i64, lane_id, shared, sqrt

from ..blocks import LANES, chunks, deviation_in_chunk, keep_chunk, sum_in_chunk, sum_of_chunks


@hologram.kernel(lanes="x.shape[0] * 128", block=128)
def group_norm(x: Array[f32, 2], gamma: Array[f32], beta: Array[f32], out: Array[f32, 2], spatial: i64, eps: f32):
    """out = (x - mu) / sqrt(v + eps) * gamma[channel] + beta[channel], mu and v the mean and the variance of a group

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n over a row of x, which is a group of channels of one element of
    the batch; each operation is rounded as written: the bits of `atlas.group_norm`.

    Shapes: x and out are (batch * groups, channels / groups * spatial): images (batch, channels, spatial) cut into
        groups. gamma and beta are (channels,).
    Types: f32.
    Source: backends.md, `AdvancedExtension::GroupNorm`; isa.md section 3, `group_norm`.
    """
    row = block_id()
    lane = lane_id()
    n = x.shape[1]
    part = shared(f32, 128)
    tree = shared(f32, 48)
    count = chunks(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, sum_in_chunk(x, row, n, chunk, f32(-0.0)))
    mean = sum_of_chunks(tree, count) / f32(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, deviation_in_chunk(x, row, n, chunk, f32(-0.0), mean))
    deviation = sqrt(sum_of_chunks(tree, count) / f32(n) + eps)
    each = n // spatial
    for k in range(each):
        channel = row * each % len(gamma) + k
        factor = f32(gamma[channel])
        offset = f32(beta[channel])
        for i in range(lane, spatial, LANES):
            place = k * spatial + i
            out[row, place] = f32((f32(x[row, place]) - mean) / deviation * factor + offset)
