"""Least elements: of a vector, of rows and of columns."""

import hologram
from hologram.language import Array

from ..folds import LEAST, T, extreme, extreme_of_columns


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def reduce_min(x: Array[T], out: Array[T]):
    """out[0] = the least x[i]

    NaN is left out. One block looks at all: for long vectors `reduce_min_rows` of parts keeps more of a device busy.

    Shapes: x: (n,), out: (1,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; backends.md, `ReduceMin`; isa.md section 3, `parallel_reduce`.
    """
    extreme(x, out, 0, LEAST)


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def reduce_min_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the least x[i, j] over j

    NaN is left out. A block looks at a row.

    Shapes: x: (m, n), out: (m,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; isa.md section 3, `reduce` over the last axis.
    """
    extreme(x, out, 1, LEAST)


@hologram.kernel(lanes=("(x.shape[1] + 31) // 32 * 32", "8"), block=(32, 8), where="x.shape[1] == out.shape[0]")
def reduce_min_columns(x: Array[T, 2], out: Array[T]):
    """out[j] = the least x[i, j] over i

    NaN is left out. A block looks at 32 columns, eight lanes at each.

    Shapes: x: (m, n), out: (n,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; isa.md section 3, `reduce` over the first axis.
    """
    extreme_of_columns(x, out, LEAST)
