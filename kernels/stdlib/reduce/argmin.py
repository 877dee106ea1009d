"""Where the least element is: in a vector, in rows."""

import hologram
from hologram.language import Array, Element, barrier, block_id, i64, lane_id, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
LANES = 256


def combine(values, places, value, place, none):
    """The place of the least of what the 256 lanes of a block have; of equal ones the first. `none` is no place."""
    lane = lane_id()
    values[lane] = value
    places[lane] = place
    barrier()
    for step in range(8):
        width = 128 >> step
        if lane < width:
            other = values[lane + width]
            there = places[lane + width]
            better = other < values[lane] or other == values[lane] and there < places[lane]
            if there != none and (places[lane] == none or better):
                values[lane] = other
                places[lane] = there
        barrier()
    return places[0]


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def argmin(x: Array[T], out: Array[i64]):
    """out[0] = the first i with the least x[i]

    NaN counts only if all are: then it is 0. Both zeros are equal.

    Shapes: x: (n,), out: (1,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmin`; section 2, reductions.
    """
    values = shared(T, LANES)
    places = shared(i64, LANES)
    lane = lane_id()
    n = x.shape[0]
    value = x[0]
    place = n
    for step in range((n + 255) >> 8):
        i = step * LANES + lane
        if i < n:
            v = x[i]
            if v == v and (place == n or v < value):
                value = v
                place = i
    found = combine(values, places, value, place, n)
    if lane == 0:
        out[0] = found if found < n else 0


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def argmin_rows(x: Array[T, 2], out: Array[i64]):
    """out[i] = the first j with the least x[i, j]

    NaN counts only if a row has nothing else: then it is 0. Both zeros are equal. A block looks at a row.

    Shapes: x: (m, n), out: (m,), of i64. Of nothing there is none: an error ends the launch.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `argmin`; section 2, reductions.
    """
    values = shared(T, LANES)
    places = shared(i64, LANES)
    lane = lane_id()
    row = block_id()
    n = x.shape[1]
    value = x[row, 0]
    place = n
    for step in range((n + 255) >> 8):
        j = step * LANES + lane
        if j < n:
            v = x[row, j]
            if v == v and (place == n or v < value):
                value = v
                place = j
    found = combine(values, places, value, place, n)
    if lane == 0:
        out[row] = found if found < n else 0
