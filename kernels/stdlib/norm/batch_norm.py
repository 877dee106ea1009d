"""Batch normalisation."""

import hologram
from hologram.language import Array, Element, block_id, lane_id, shared, sqrt

from ..blocks import CHUNK, LANES, SUM, chunks, keep_chunk, quotient, total_of_chunks

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(
    lanes=("128", "x.shape[1]", "x.shape[0]"),
    block=128,
    where=(
        "x.shape[0] == out.shape[0]",
        "x.shape[1] == out.shape[1]",
        "x.shape[2] == out.shape[2]",
        "gamma.shape[0] == x.shape[1]",
        "beta.shape[0] == x.shape[1]",
        "mean.shape[0] == x.shape[1]",
        "variance.shape[0] == x.shape[1]",
    ),
)
def batch_norm(
    x: Array[T, 3],
    gamma: Array[T],
    beta: Array[T],
    mean: Array[T],
    variance: Array[T],
    out: Array[T, 3],
    eps: T.wide,
):
    """out[b, c, i] = (x[b, c, i] - mean[c]) / sqrt(variance[c] + eps) * gamma[c] + beta[c]

    Inference. For training `batch_norm_statistics` gives mean and variance. Each operation is rounded as written.

    Shapes: x and out are (batch, channels, spatial), the others (channels,); more axes of space are one.
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: backends.md, `ComplexExtension::BatchNorm`; isa.md section 3, `batch_norm`.
    """
    channel = block_id(1)
    batch = block_id(2)
    center = T.wide(mean[channel])
    deviation = sqrt(T.wide(variance[channel]) + eps)
    factor = T.wide(gamma[channel])
    offset = T.wide(beta[channel])
    for step in range((x.shape[2] + LANES - 1) >> 7):
        i = step * LANES + lane_id()
        if i < x.shape[2]:
            out[batch, channel, i] = T((T.wide(x[batch, channel, i]) - center) / deviation * factor + offset)


def channel_sum(x, channel, chunk, none, mean, power):
    """Return the lane's sum of a chunk of a channel: of its elements, or with power 2 of the squares of x - mean.

    `none` is -0 of the type that sums have.
    """
    lane = lane_id()
    first = chunk * CHUNK
    count = min(x.shape[0] * x.shape[2] - first, CHUNK)
    total = none
    for step in range((count + LANES - 1) >> 7):
        i = step * LANES + lane
        if i < count:
            batch = quotient(first + i, x.shape[2])
            over = x[batch, channel, first + i - batch * x.shape[2]] - mean
            total += over if power == 1 else over * over
    return total


@hologram.kernel(
    lanes="x.shape[1] * 128", block=128, where=("mean.shape[0] == x.shape[1]", "variance.shape[0] == x.shape[1]")
)
def batch_norm_statistics(x: Array[T, 3], mean: Array[T.wide], variance: Array[T.wide]):
    """mean[c] = sum(x[:, c]) / n, variance[c] = sum((x[:, c] - mean[c]) * (x[:, c] - mean[c])) / n

    Of training: over all elements of a channel, n = batch * spatial of them.

    Shapes: x is (batch, channels, spatial), the others (channels,); more axes of space are one.
    Types: f32, f64, f16, bf16; mean and variance are f32, and f64 for f64.
    Source: backends.md, `ComplexExtension::BatchNorm`; isa.md section 3, `batch_norm` without mean and variance.
    """
    channel = block_id()
    lane = lane_id()
    part = shared(T.wide, 128)
    tree = shared(T.wide, 48)
    n = x.shape[0] * x.shape[2]
    count = chunks(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, channel_sum(x, channel, chunk, T.wide(-0.0), T.wide(0.0), 1), SUM)
    center = total_of_chunks(tree, count, SUM) / T.wide(n)
    for chunk in range(count):
        keep_chunk(part, tree, chunk, channel_sum(x, channel, chunk, T.wide(-0.0), center, 2), SUM)
    spread = total_of_chunks(tree, count, SUM) / T.wide(n)
    if lane == 0:
        mean[channel] = center
        variance[channel] = spread
