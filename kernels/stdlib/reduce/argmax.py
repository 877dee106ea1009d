"""Where the greatest element is: in a vector, in rows."""

import hologram
from hologram.language import Array, Element, block_id, i64, lane_id, shared

from ..folds import GREATEST, WIDTH, place_of_extreme

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def argmax(x: Array[T], out: Array[i64]):
    """out[0] = the first i with the greatest x[i]

    NaN counts only if all are: then it is 0. Both zeros are equal.

    Shapes: x: (n,), out: (1,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmax`; section 2, reductions.
    """
    values = shared(T, WIDTH)
    places = shared(i64, WIDTH)
    found = place_of_extreme(values, places, x, 0, x.shape[0], 0, GREATEST)
    if lane_id() == 0:
        out[0] = found


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def argmax_rows(x: Array[T, 2], out: Array[i64]):
    """out[i] = the first j with the greatest x[i, j]

    NaN counts only if a row has nothing else: then it is 0. Both zeros are equal. A block looks at a row.

    Shapes: x: (m, n), out: (m,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmax`; section 2, reductions.
    """
    values = shared(T, WIDTH)
    places = shared(i64, WIDTH)
    row = block_id()
    found = place_of_extreme(values, places, x, row, x.shape[1], 1, GREATEST)
    if lane_id() == 0:
        out[row] = found
