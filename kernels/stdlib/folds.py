"""What reductions and scans share that are not sums: how two values become one, in lanes, in blocks and along rows.

`ROWS` is 1 for a row of a matrix, and 0 for a vector, which is one row.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import barrier, block_id, greatest, i64, lane_id, least, shared

from .blocks import T, element

SUM = 0
PRODUCT = 1
GREATEST = 2
LEAST = 3

WIDTH = 256
"""The lanes of a block."""


def joined(a, b, kind):
    """Two values as one. The greatest and the least leave out NaN."""
    if kind == SUM:
        return a + b
    if kind == PRODUCT:
        return a * b
    if kind == GREATEST:
        return max(a, b)
    return min(a, b)


def extreme(x, out, ROWS, kind):
    """Store the greatest or least element of the block's row of x, or of the vector x where ROWS is 0.

    A block has 256 lanes. Of nothing it is the type's least or greatest number.
    """
    part = shared(T, WIDTH)
    lane = lane_id()
    row = block_id() if ROWS else 0
    n = x.shape[ROWS]
    best = least(T) if kind == GREATEST else greatest(T)
    for step in range(n >> 8):
        best = joined(best, element(x, row, step * WIDTH + lane, ROWS), kind)
    if lane < n & 255:
        best = joined(best, element(x, row, (n >> 8) * WIDTH + lane, ROWS), kind)
    part[lane] = best
    barrier()
    for step in range(8):
        width = 128 >> step
        if lane < width:
            part[lane] = joined(part[lane], part[lane + width], kind)
        barrier()
    if lane == 0:
        out[row] = part[0]


def extreme_of_columns(x, out, kind):
    """Store the greatest or least elements of the block's 32 columns, with 8 lanes for each."""
    part = shared(T, 8, 32)
    place = lane_id()
    lane = lane_id(1)
    column = block_id() * 32 + place
    rows = x.shape[0]
    best = least(T) if kind == GREATEST else greatest(T)
    for step in range((rows + 7) >> 3):
        if step * 8 + lane < rows and column < x.shape[1]:
            best = joined(best, x[step * 8 + lane, column], kind)
    part[lane, place] = best
    barrier()
    for step in range(3):
        if lane < 4 >> step:
            part[lane, place] = joined(part[lane, place], part[lane + (4 >> step), place], kind)
        barrier()
    if lane == 0 and column < x.shape[1]:
        out[column] = part[0, place]


def beyond(a, b, kind):
    """Whether a is greater than b, or less."""
    if kind == GREATEST:
        return a > b
    return a < b


def place_of_extreme(x, out, ROWS, kind):
    """Store where the greatest or least element of the block's row of x is, or of the vector x where ROWS is 0.

    Of equal elements it is the first, and 0 where all are NaN. A block has 256 lanes.
    """
    values = shared(T, WIDTH)
    places = shared(i64, WIDTH)
    lane = lane_id()
    row = block_id() if ROWS else 0
    n = x.shape[ROWS]
    value = element(x, row, 0, ROWS)
    place = n
    for step in range((n + 255) >> 8):
        i = step * WIDTH + lane
        if i < n:
            v = element(x, row, i, ROWS)
            if v == v and (place == n or beyond(v, value, kind)):
                value = v
                place = i
    values[lane] = value
    places[lane] = place
    barrier()
    for step in range(8):
        width = 128 >> step
        if lane < width:
            other = values[lane + width]
            there = places[lane + width]
            better = beyond(other, values[lane], kind) or other == values[lane] and there < places[lane]
            # A lane without a place has n, which is no place.
            if there != n and (places[lane] == n or better):
                values[lane] = other
                places[lane] = there
        barrier()
    if lane == 0:
        out[row] = places[0] if places[0] < n else 0


def scan(x, y, EXCLUSIVE, kind):
    """Store what the elements of the block's row up to each one make together; with EXCLUSIVE without its own.

    A block of 256 lanes goes along the row, as many elements at a time.
    """
    part = shared(T.wide, 2, WIDTH)
    row = block_id()
    n = x.shape[1]
    none = nothing(kind)
    before = none
    for tile in range(0, n, WIDTH):
        i = tile + lane_id()
        scan_lanes(part, T.wide(x[row, i]) if i < n else none, kind)
        value = up_to_lane(part, before, EXCLUSIVE, kind)
        if i < n:
            y[row, i] = T(value)
        before = joined(before, part[0, WIDTH - 1], kind)
        barrier()


def nothing(kind):
    """What no elements make together."""
    if kind == SUM:
        return T.wide(0)
    if kind == PRODUCT:
        return T.wide(1)
    return least(T.wide) if kind == GREATEST else greatest(T.wide)


def scan_lanes(part, value, kind):
    """Leave in part[0, i] what the values of the lanes up to i make together."""
    lane = lane_id()
    part[0, lane] = value
    barrier()
    for step in range(8):
        source = step & 1
        value = part[source, lane]
        if lane >= 1 << step:
            value = joined(part[source, lane - (1 << step)], value, kind)
        part[1 - source, lane] = value
        barrier()


def up_to_lane(part, before, EXCLUSIVE, kind):
    """Return what came before the tile joined with the lane's part of it, after `scan_lanes`."""
    lane = lane_id()
    if EXCLUSIVE:
        return joined(before, part[0, lane - 1], kind) if lane > 0 else before
    return joined(before, part[0, lane], kind)
