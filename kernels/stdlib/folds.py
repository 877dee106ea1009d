"""What reductions and scans share that are not sums: how two values become one, in lanes, in blocks and along rows.

`ROWS` is 1 for a row of a matrix, and 0 for a vector, which is one row.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import barrier, lane_id

from .blocks import element

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


def extreme(part, x, row, n, none, ROWS, kind):
    """The greatest or least of the n elements of a row, by a block of 256 lanes; `none` is that of nothing.

    `part = shared(T, 256)`.
    """
    lane = lane_id()
    found = none
    for step in range(n >> 8):
        found = joined(found, element(x, row, step * WIDTH + lane, ROWS), kind)
    if lane < n & 255:
        found = joined(found, element(x, row, (n >> 8) * WIDTH + lane, ROWS), kind)
    part[lane] = found
    barrier()
    for step in range(8):
        width = 128 >> step
        if lane < width:
            part[lane] = joined(part[lane], part[lane + width], kind)
        barrier()
    return part[0]


def extreme_of_column(part, x, column, none, kind):
    """The greatest or least of a column, by a block of 32 columns and 8 lanes each. `part = shared(T, 8, 32)`."""
    place = lane_id()
    lane = lane_id(1)
    rows = x.shape[0]
    found = none
    for step in range((rows + 7) >> 3):
        if step * 8 + lane < rows and column < x.shape[1]:
            found = joined(found, x[step * 8 + lane, column], kind)
    part[lane, place] = found
    barrier()
    for step in range(3):
        if lane < 4 >> step:
            part[lane, place] = joined(part[lane, place], part[lane + (4 >> step), place], kind)
        barrier()
    return part[0, place]


def beyond(a, b, kind):
    """Whether a is greater than b, or less."""
    if kind == GREATEST:
        return a > b
    return a < b


def place_of_extreme(values, places, x, row, n, ROWS, kind):
    """Where the greatest or least of the n elements of a row is: of equal ones the first, and 0 where all are NaN.

    `values = shared(T, 256)`, `places = shared(i64, 256)`; a block of 256 lanes.
    """
    lane = lane_id()
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
    return places[0] if places[0] < n else 0


def scan_lanes(part, value, kind):
    """Leaves in part[0, i] what the values of the lanes up to i make together. `part = shared(T.wide, 2, 256)`."""
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
    """What came before the tile together with the lane's part of it after `scan_lanes`; without its own value if so."""
    lane = lane_id()
    if EXCLUSIVE:
        return joined(before, part[0, lane - 1], kind) if lane > 0 else before
    return joined(before, part[0, lane], kind)
