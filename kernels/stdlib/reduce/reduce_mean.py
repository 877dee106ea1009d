"""Means: of a vector, of rows and of columns."""

import hologram
from hologram.language import Array, block_id, lane_id

from ..blocks import FLOATS as T
from ..blocks import column_sum, sum_of_row


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def reduce_mean(x: Array[T], out: Array[T]):
    """out[0] = the sum of x[i] over i, divided by n

    The sum is that of `reduce_sum`; f16 and bf16 are added and divided in f32.

    Shapes: x: (n,), out: (1,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    total = sum_of_row(x, 0, 0)
    if lane_id() == 0:
        out[0] = T(total / T.wide(len(x)))


@hologram.kernel(lanes="x.shape[0] * 128", block=128, where="x.shape[0] == out.shape[0]")
def reduce_mean_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the sum of x[i, j] over j, divided by n

    The sum is that of `reduce_sum_rows`; f16 and bf16 are added and divided in f32.

    Shapes: x: (m, n), out: (m,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    row = block_id()
    total = sum_of_row(x, row, 1)
    if lane_id() == 0:
        out[row] = T(total / T.wide(x.shape[1]))


@hologram.kernel(lanes=("(x.shape[1] + 31) // 32 * 32", "8"), block=(32, 8), where="x.shape[1] == out.shape[0]")
def reduce_mean_columns(x: Array[T, 2], out: Array[T]):
    """out[j] = the sum of x[i, j] over i, divided by m

    The sum is that of `reduce_sum_columns`; f16 and bf16 are added and divided in f32.

    Shapes: x: (m, n), out: (n,). The mean of nothing is NaN.
    Types: f32, f64, f16, bf16.
    Source: core.md, `ops::reduce::mean`.
    """
    column = block_id() * 32 + lane_id()
    total = column_sum(x, column)
    if lane_id(1) == 0 and column < x.shape[1]:
        out[column] = T(total / T.wide(x.shape[0]))
