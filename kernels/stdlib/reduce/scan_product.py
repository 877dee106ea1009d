"""Running products, of rows; a vector is one row."""

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, lane_id, shared

from ..folds import PRODUCT, WIDTH, joined, scan_lanes, up_to_lane

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where=("x.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"))
def scan_product(x: Array[T, 2], y: Array[T, 2], EXCLUSIVE: Constant = 0):
    """y[i, j] = the product of x[i, 0] to x[i, j]; to x[i, j - 1] where EXCLUSIVE is 1

    A block goes along a row, 256 elements at a time. f16 and bf16 are multiplied in f32.

    Shapes: x and y: (m, n). Of nothing it is 1.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: isa.md section 3, `scan`.
    """
    part = shared(T.wide, 2, WIDTH)
    row = block_id()
    n = x.shape[1]
    before = T.wide(1)
    for tile in range(0, n, WIDTH):
        i = tile + lane_id()
        scan_lanes(part, T.wide(x[row, i]) if i < n else T.wide(1), PRODUCT)
        found = up_to_lane(part, before, EXCLUSIVE, PRODUCT)
        if i < n:
            y[row, i] = T(found)
        before = joined(before, part[0, WIDTH - 1], PRODUCT)
        barrier()
