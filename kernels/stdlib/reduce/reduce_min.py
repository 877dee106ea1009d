"""Least elements: of a vector, of rows and of columns."""

import hologram
from hologram.language import Array, Element, barrier, block_id, greatest, lane_id, shared

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
LANES = 256


def combine(part, value):
    """The least of what the 256 lanes of a block have."""
    lane = lane_id()
    part[lane] = value
    barrier()
    for step in range(8):
        width = 128 >> step
        if lane < width:
            part[lane] = min(part[lane], part[lane + width])
        barrier()
    return part[0]


@hologram.kernel(lanes="256", block=256, where="out.shape[0] == 1")
def reduce_min(x: Array[T], out: Array[T]):
    """out[0] = the least x[i]

    NaN is left out. One block looks at all: for long vectors `reduce_min_rows` of parts keeps more of a device busy.

    Shapes: x: (n,), out: (1,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; backends.md, `ReduceMin`; isa.md section 3, `parallel_reduce`.
    """
    part = shared(T, LANES)
    lane = lane_id()
    n = x.shape[0]
    found = greatest(T)
    for step in range(n >> 8):
        found = min(found, x[step * LANES + lane])
    if lane < n & 255:
        found = min(found, x[(n >> 8) * LANES + lane])
    found = combine(part, found)
    if lane == 0:
        out[0] = found


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where="x.shape[0] == out.shape[0]")
def reduce_min_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the least x[i, j] over j

    NaN is left out. A block looks at a row.

    Shapes: x: (m, n), out: (m,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; isa.md section 3, `reduce` over the last axis.
    """
    part = shared(T, LANES)
    lane = lane_id()
    row = block_id()
    n = x.shape[1]
    found = greatest(T)
    for step in range(n >> 8):
        found = min(found, x[row, step * LANES + lane])
    if lane < n & 255:
        found = min(found, x[row, (n >> 8) * LANES + lane])
    found = combine(part, found)
    if lane == 0:
        out[row] = found


@hologram.kernel(lanes=("(x.shape[1] + 31) // 32 * 32", "8"), block=(32, 8), where="x.shape[1] == out.shape[0]")
def reduce_min_columns(x: Array[T, 2], out: Array[T]):
    """out[j] = the least x[i, j] over i

    NaN is left out. A block looks at 32 columns, eight lanes at each.

    Shapes: x: (m, n), out: (n,). Of nothing, or of NaN alone, it is +inf, of integers the greatest of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: core.md, `ops::reduce::min`; isa.md section 3, `reduce` over the first axis.
    """
    part = shared(T, 8, 32)
    place = lane_id()
    lane = lane_id(1)
    column = block_id() * 32 + place
    rows = x.shape[0]
    found = greatest(T)
    for step in range((rows + 7) >> 3):
        if step * 8 + lane < rows and column < x.shape[1]:
            found = min(found, x[step * 8 + lane, column])
    part[lane, place] = found
    barrier()
    for step in range(3):
        if lane < 4 >> step:
            part[lane, place] = min(part[lane, place], part[lane + (4 >> step), place])
        barrier()
    if lane == 0 and column < x.shape[1]:
        out[column] = part[0, place]
