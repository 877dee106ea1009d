"""Running greatest elements, of rows; a vector is one row."""

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, lane_id, least, shared

from ..folds import GREATEST, WIDTH, joined, scan_lanes, up_to_lane

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where=("x.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"))
def scan_max(x: Array[T, 2], y: Array[T, 2], EXCLUSIVE: Constant = 0):
    """y[i, j] = the greatest of x[i, 0] to x[i, j]; to x[i, j - 1] where EXCLUSIVE is 1

    A block goes along a row, 256 elements at a time. NaN is left out.

    Shapes: x and y: (m, n). Of nothing it is -inf, of integers the least of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `scan`.
    """
    part = shared(T.wide, 2, WIDTH)
    row = block_id()
    n = x.shape[1]
    before = least(T.wide)
    for tile in range(0, n, WIDTH):
        i = tile + lane_id()
        scan_lanes(part, T.wide(x[row, i]) if i < n else least(T.wide), GREATEST)
        found = up_to_lane(part, before, EXCLUSIVE, GREATEST)
        if i < n:
            y[row, i] = T(found)
        before = joined(before, part[0, WIDTH - 1], GREATEST)
        barrier()
