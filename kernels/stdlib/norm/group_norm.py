"""Group normalisation."""

import hologram
from hologram.language import Array, block_id, i64, lane_id, shared, sqrt

from ..blocks import FLOATS as T
from ..blocks import LANES, mean_of_row


@hologram.kernel(
    lanes="x.shape[0] * 128",
    block=128,
    where=("x.shape[0] == out.shape[0]", "x.shape[1] == out.shape[1]", "gamma.shape[0] == beta.shape[0]"),
)
def group_norm(x: Array[T, 2], gamma: Array[T], beta: Array[T], out: Array[T, 2], spatial: i64, eps: T.wide):
    """out = (x - mu) / sqrt(v + eps) * gamma[channel] + beta[channel], mu and v the mean and the variance of a group

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n over a row of x, which is a group of channels of one element of
    the batch; each operation is rounded as written: the bits of `atlas.group_norm`.

    Shapes: x and out are (batch * groups, channels / groups * spatial): images (batch, channels, spatial) cut into
        groups. gamma and beta are (channels,).
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: backends.md, `AdvancedExtension::GroupNorm`; isa.md section 3, `group_norm`.
    """
    row = block_id()
    lane = lane_id()
    n = x.shape[1]
    part = shared(T.wide, 128)
    tree = shared(T.wide, 48)
    mean = mean_of_row(part, tree, x, row, 0, 1)
    deviation = sqrt(mean_of_row(part, tree, x, row, mean, 2) + eps)
    each = n // spatial
    for k in range(each):
        channel = row * each % len(gamma) + k
        factor = T.wide(gamma[channel])
        offset = T.wide(beta[channel])
        for step in range((spatial + LANES - 1) >> 7):
            i = step * LANES + lane
            if i < spatial:
                place = k * spatial + i
                out[row, place] = T((T.wide(x[row, place]) - mean) / deviation * factor + offset)
