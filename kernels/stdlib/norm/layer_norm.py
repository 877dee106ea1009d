"""Layer normalisation."""

import hologram
from hologram.language import Array, block_id, lane_id, shared, sqrt

from ..blocks import FLOATS as T
from ..blocks import LANES, mean_of_row


@hologram.kernel(
    lanes="x.shape[0] * 128",
    block=128,
    where=(
        "x.shape[0] == out.shape[0]",
        "x.shape[1] == out.shape[1]",
        "gamma.shape[0] == x.shape[1]",
        "beta.shape[0] == x.shape[1]",
    ),
)
def layer_norm(x: Array[T, 2], gamma: Array[T], beta: Array[T], out: Array[T, 2], eps: T.wide):
    """out[r, i] = (x[r, i] - mu) / sqrt(v + eps) * gamma[i] + beta[i], mu and v the mean and the variance of row r

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n, each operation rounded as written: the bits of
    `atlas.layer_norm`. A NaN or an infinity makes its row NaN.

    Shapes: x and out are (rows, n), gamma and beta (n,); more leading axes are rows.
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: backends.md, `ComplexExtension::LayerNorm`; isa.md section 3, `layer_norm`.
    """
    row = block_id()
    lane = lane_id()
    n = x.shape[1]
    part = shared(T.wide, 128)
    tree = shared(T.wide, 48)
    mean = mean_of_row(part, tree, x, row, 0, 1)
    deviation = sqrt(mean_of_row(part, tree, x, row, mean, 2) + eps)
    for step in range((n + LANES - 1) >> 7):
        i = step * LANES + lane
        if i < n:
            out[row, i] = T((T.wide(x[row, i]) - mean) / deviation * T.wide(gamma[i]) + T.wide(beta[i]))
