"""Running greatest elements, of rows; a vector is one row."""

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, lane_id, least, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
LANES = 256


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where=("x.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"))
def scan_max(x: Array[T, 2], y: Array[T, 2], EXCLUSIVE: Constant = 0):
    """y[i, j] = the greatest of x[i, 0] to x[i, j]; to x[i, j - 1] where EXCLUSIVE is 1

    A block goes along a row, 256 elements at a time. NaN is left out.

    Shapes: x and y: (m, n). Of nothing it is -inf, of integers the least of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `scan`.
    """
    part = shared(T.wide, 2, LANES)
    lane = lane_id()
    row = block_id()
    n = x.shape[1]
    before = least(T.wide)
    for tile in range(0, n, LANES):
        part[0, lane] = T.wide(x[row, tile + lane]) if tile + lane < n else least(T.wide)
        barrier()
        for step in range(8):
            source = step & 1
            value = part[source, lane]
            if lane >= 1 << step:
                value = max(part[source, lane - (1 << step)], value)
            part[1 - source, lane] = value
            barrier()
        if EXCLUSIVE:
            found = max(before, part[0, lane - 1]) if lane > 0 else before
        else:
            found = max(before, part[0, lane])
        if tile + lane < n:
            y[row, tile + lane] = T(found)
        before = max(before, part[0, LANES - 1])
        barrier()
