"""Where the least element is: in a vector, in rows."""

import hologram
from hologram.language import Array, i64

from ..folds import LEAST, T, place_of_extreme


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def argmin(x: Array[T], out: Array[i64]):
    """out[0] = the first i with the least x[i]

    NaN counts only if all are: then it is 0. Both zeros are equal.

    Shapes: x: (n,), out: (1,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmin`; section 2, reductions.
    """
    place_of_extreme(x, out, 0, LEAST)


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def argmin_rows(x: Array[T, 2], out: Array[i64]):
    """out[i] = the first j with the least x[i, j]

    NaN counts only if a row has nothing else: then it is 0. Both zeros are equal. A block looks at a row.

    Shapes: x: (m, n), out: (m,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmin`; section 2, reductions.
    """
    place_of_extreme(x, out, 1, LEAST)
