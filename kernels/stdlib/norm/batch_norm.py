"""Batch normalisation."""

import hologram
from hologram.language import Array, f32, block_id, lane_id, shared, sqrt

from ..blocks import CHUNK, LANES, chunks, keep_chunk, quotient, sum_of_chunks


@hologram.kernel(lanes="x.shape[0] * x.shape[1] * 128", block=128)
def batch_norm(
    x: Array[f32, 3],
    gamma: Array[f32],
    beta: Array[f32],
    mean: Array[f32],
    variance: Array[f32],
    out: Array[f32, 3],
    eps: f32,
):
    """out[b, c, i] = (x[b, c, i] - mean[c]) / sqrt(variance[c] + eps) * gamma[c] + beta[c]

    Inference. For training `batch_norm_statistics` gives mean and variance. Each operation is rounded as written.

    Shapes: x and out are (batch, channels, spatial), the others (channels,); more axes of space are one.
    Types: f32.
    Source: backends.md, `ComplexExtension::BatchNorm`; isa.md section 3, `batch_norm`.
    """
    plane = block_id()
    batch = plane // x.shape[1]
    channel = plane - batch * x.shape[1]
    center = f32(mean[channel])
    deviation = sqrt(f32(variance[channel]) + eps)
    factor = f32(gamma[channel])
    offset = f32(beta[channel])
    for i in range(lane_id(), x.shape[2], LANES):
        out[batch, channel, i] = f32((f32(x[batch, channel, i]) - center) / deviation * factor + offset)


def channel_sum(x, channel, chunk, none, mean, power):
    """What a lane adds up of a chunk of a channel: its elements, or with power 2 the squares of what is over the mean.

    `none` is -0 of the type that sums have.
    """
    lane = lane_id()
    first = chunk * CHUNK
    count = min(x.shape[0] * x.shape[2] - first, CHUNK)
    total = none
    for step in range((count + LANES - 1) // LANES):
        i = step * LANES + lane
        if i < count:
            batch = quotient(first + i, x.shape[2])
            over = x[batch, channel, first + i - batch * x.shape[2]] - mean
            total += over if power == 1 else over * over
    return total


@hologram.kernel(lanes="x.shape[1] * 128", block=128)
def batch_norm_statistics(x: Array[f32, 3], mean: Array[f32], variance: Array[f32]):
    """mean[c] = sum(x[:, c]) / n, variance[c] = sum((x[:, c] - mean[c]) * (x[:, c] - mean[c])) / n

    Of training: over all elements of a channel, n = batch * spatial of them.

    Shapes: x is (batch, channels, spatial), the others (channels,); more axes of space are one.
    Types: f32.
    Source: backends.md, `ComplexExtension::BatchNorm`; isa.md section 3, `batch_norm` without mean and variance.
    """
    channel = block_id()
    lane = lane_id()
    part = shared(f32, 128)
    tree = shared(f32, 48)
    n = x.shape[0] * x.shape[2]
    count = chunks(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, channel_sum(x, channel, chunk, f32(-0.0), f32(0.0), 1))
    center = sum_of_chunks(tree, count) / f32(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, channel_sum(x, channel, chunk, f32(-0.0), center, 2))
    spread = sum_of_chunks(tree, count) / f32(n)
    if lane == 0:
        mean[channel] = center
        variance[channel] = spread
