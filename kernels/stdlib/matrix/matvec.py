"""The product of a matrix and a vector."""

import hologram
from hologram.kernels.stdlib.blocks import LANES, T, combine_lanes
from hologram.language import Array, block_id, lane_id, muladd, shared


@hologram.kernel(lanes="a.shape[0] * 128", block=128, where=("a.shape[1] == x.shape[0]", "a.shape[0] == y.shape[0]"))
def matvec(a: Array[T, 2], x: Array[T], y: Array[T]):
    """y[i] = the sum of a[i, j] * x[j] over j

    f16 and bf16 are multiplied and added in f32. A block takes a row.

    Shapes: a: (m, n), x: (n,), y: (m,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `ops::linalg::matvec`; isa.md section 3: a tolerance, not bits.
    """
    part = shared(T.wide, LANES)
    lane = lane_id()
    row = block_id()
    n = a.shape[1]
    total = T.wide(0)
    for step in range(n >> 7):
        j = step * LANES + lane
        total = muladd(T.wide(a[row, j]), T.wide(x[j]), total)
    if lane < n & 127:
        j = (n >> 7) * LANES + lane
        total = muladd(T.wide(a[row, j]), T.wide(x[j]), total)
    combine_lanes(part, total)
    if lane == 0:
        y[row] = T(part[0])
