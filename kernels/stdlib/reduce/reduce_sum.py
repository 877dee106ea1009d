"""Sums: of a vector, of rows and of columns."""

import hologram
from hologram.language import Array, block_id, lane_id

from ..blocks import T, column_sum, sum_of_row


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def reduce_sum(x: Array[T], out: Array[T]):
    """out[0] = the sum of x[i] over i

    In the order of the ISA, so that exact devices give equal bits; f16 and bf16 are added in f32. One block adds up
    all: for long vectors `reduce_sum_rows` of (n // 4096, 4096) keeps more of a device busy.

    Shapes: x: (n,), out: (1,). The sum of nothing is 0.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `ops::reduce::sum`; backends.md, `ReduceAdd`; isa.md section 3, `parallel_reduce`.
    """
    total = sum_of_row(x, 0, 0)
    if lane_id() == 0:
        out[0] = T(total) if len(x) > 0 else T(0)


@hologram.kernel(lanes="x.shape[0] * 128", block=128, where="x.shape[0] == out.shape[0]")
def reduce_sum_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the sum of x[i, j] over j

    In the order of the ISA; f16 and bf16 are added in f32. A block adds up a row.

    Shapes: x: (m, n), out: (m,). The sum of nothing is 0.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `ops::reduce::sum`; isa.md section 3, `reduce` over the last axis.
    """
    row = block_id()
    total = sum_of_row(x, row, 1)
    if lane_id() == 0:
        out[row] = T(total) if x.shape[1] > 0 else T(0)


@hologram.kernel(lanes=("(x.shape[1] + 31) // 32 * 32", "8"), block=(32, 8), where="x.shape[1] == out.shape[0]")
def reduce_sum_columns(x: Array[T, 2], out: Array[T]):
    """out[j] = the sum of x[i, j] over i

    In the order of the ISA; f16 and bf16 are added in f32. A block adds up 32 columns.

    Shapes: x: (m, n), out: (n,). The sum of nothing is 0.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: core.md, `ops::reduce::sum`; isa.md section 3, `reduce` over the first axis.
    """
    column = block_id() * 32 + lane_id()
    total = column_sum(x, column)
    if lane_id(1) == 0 and column < x.shape[1]:
        out[column] = T(total) if x.shape[0] > 0 else T(0)
