"""Means: of a vector, of rows and of columns."""

import hologram
from hologram.language import Array, Element, block_id, lane_id, local, shared

from ..blocks import LANES, column_sum, sum_of_row

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def reduce_mean(x: Array[T], out: Array[T]):
    """out[0] = the sum of x[i] over i, divided by n

    The sum is that of `reduce_sum`; f16 and bf16 are added and divided in f32.

    Shapes: x: (n,), out: (1,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    n = x.shape[0]
    found = sum_of_row(part, tree, x, 0, n, -T.wide(0), 0)
    if lane_id() == 0:
        out[0] = T(found / T.wide(n))


@hologram.kernel(lanes="x.shape[0] * 128", block=128, where="x.shape[0] == out.shape[0]")
def reduce_mean_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the sum of x[i, j] over j, divided by n

    The sum is that of `reduce_sum_rows`; f16 and bf16 are added and divided in f32.

    Shapes: x: (m, n), out: (m,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    row = block_id()
    n = x.shape[1]
    found = sum_of_row(part, tree, x, row, n, -T.wide(0), 1)
    if lane_id() == 0:
        out[row] = T(found / T.wide(n))


@hologram.kernel(lanes=("(x.shape[1] + 31) // 32 * 32", "8"), block=(32, 8), where="x.shape[1] == out.shape[0]")
def reduce_mean_columns(x: Array[T, 2], out: Array[T]):
    """out[j] = the sum of x[i, j] over i, divided by m

    The sum is that of `reduce_sum_columns`; f16 and bf16 are added and divided in f32.

    Shapes: x: (m, n), out: (n,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    part = shared(T.wide, 8, 32)
    tree = shared(T.wide, 48, 32)
    sums = local(T.wide, 16)
    column = block_id() * 32 + lane_id()
    found = column_sum(x, column, part, tree, sums, T.wide(0))
    if lane_id(1) == 0 and column < x.shape[1]:
        out[column] = T(found / T.wide(x.shape[0]))
