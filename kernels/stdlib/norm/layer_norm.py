"""Layer normalisation."""

import hologram
from hologram.language import Array, f32, block_id, lane_id, shared, sqrt

from ..blocks import LANES, chunks, deviation_in_chunk, keep_chunk, sum_in_chunk, sum_of_chunks


@hologram.kernel(lanes="x.shape[0] * 128", block=128)
def layer_norm(x: Array[f32, 2], gamma: Array[f32], beta: Array[f32], out: Array[f32, 2], eps: f32):
    """out[r, i] = (x[r, i] - mu) / sqrt(v + eps) * gamma[i] + beta[i], mu and v the mean and the variance of row r

    mu = sum(x) / n and v = sum((x - mu) * (x - mu)) / n, each operation rounded as written: the bits of
    `atlas.layer_norm`. A NaN or an infinity makes its row NaN.

    Shapes: x and out are (rows, n), gamma and beta (n,); more leading axes are rows.
    Types: f32.
    Source: backends.md, `ComplexExtension::LayerNorm`; isa.md section 3, `layer_norm`.
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
    for i in range(lane, n, LANES):
        out[row, i] = f32((f32(x[row, i]) - mean) / deviation * f32(gamma[i]) + f32(beta[i]))
