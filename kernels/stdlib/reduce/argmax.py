"""Where the greatest element is: in a vector, in rows."""

import hologram
from hologram.language import Array, i64

from ..folds import GREATEST, T, place_of_extreme


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def argmax(x: Array[T], out: Array[i64]):
    """out[0] = the first i with the greatest x[i]

    NaN counts only if all are: then it is 0. Both zeros are equal.

    Shapes: x: (n,), out: (1,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmax`; section 2, reductions.
    """
    place_of_extreme(x, out, 0, GREATEST)


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def argmax_rows(x: Array[T, 2], out: Array[i64]):
    """out[i] = the first j with the greatest x[i, j]

    NaN counts only if a row has nothing else: then it is 0. Both zeros are equal. A block looks at a row.

    Shapes: x: (m, n), out: (m,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmax`; section 2, reductions.
    """
    place_of_extreme(x, out, 1, GREATEST)
