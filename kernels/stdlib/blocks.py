"""Functions for kernels that sum by blocks in the order of the ISA, and for places of elements.

The order (isa.md, section 3): element i of what is added up belongs to chunk i div 4096 and to lane i mod 128, which
adds its elements one after the other. The lanes of a chunk combine by halving, chunks in pairs and pairs of pairs. So
a kernel gives the bits of the instruction on every device that is exact. A block of 128 lanes sums row r of x so, with
`part = shared(f32, 128)` and `tree = shared(f32, 48)`:

    for chunk in range(chunks(n)):
        keep_chunk(part, tree, chunk, total_of_lane, SUM)
    total = total_of_chunks(tree, chunks(n), SUM)
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import Element, barrier, i64, lane_id, local, shared, u32, u64

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
FLOATS = Element("T", "f32", "f64", "f16", "bf16")
"""What `T` is in kernels that take floats alone."""

SUM = 0
PRODUCT = 1
GREATEST = 2
LEAST = 3
"""The kinds of totals, that are how two values become one."""

LANES = 128
CHUNK = 4096


def chunks(count):
    """Return how many chunks so many elements have; none have one, whose sum is -0."""
    return max((count + CHUNK - 1) >> 12, 1)


def joined(a, b, kind):
    """Return two values as one. The greatest and the least leave out NaN."""
    if kind == SUM:
        return a + b
    if kind == PRODUCT:
        return a * b
    if kind == GREATEST:
        return max(a, b)
    return min(a, b)


def combine_lanes(part, value, kind):
    """Leave in part[0] what the values of the lanes make together, before a barrier."""
    lane = lane_id()
    part[lane] = value
    barrier()
    for step in range(7):
        width = 64 >> step
        if lane < width:
            part[lane] = joined(part[lane], part[lane + width], kind)
        barrier()


def total_of_row(x, row, ROWS, kind):
    """Return the sum or the product of a row of x, or of the vector x where ROWS is 0, in the wide type."""
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    lane = lane_id()
    n = x.shape[ROWS]
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = -T.wide(0) if kind == SUM else T.wide(1)
        for step in range(count >> 7):
            total = joined(total, element(x, row, first + step * LANES + lane, ROWS), kind)
        if lane < count & 127:
            total = joined(total, element(x, row, first + (count >> 7) * LANES + lane, ROWS), kind)
        keep_chunk(part, tree, chunk, total, kind)
    return total_of_chunks(tree, chunks(n), kind)


def element(x, row, i, ROWS):
    """Element i of a row of a matrix, or of a vector where ROWS is 0."""
    return x[row, i] if ROWS else x[i]


def mean_of_row(part, tree, x, row, center, power):
    """Return the mean of x - center over a row, or with power 2 that of its square.

    `part = shared(T.wide, 128)`, `tree = shared(T.wide, 48)`.
    """
    n = x.shape[1]
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = -T.wide(0)
        for step in range((count + LANES - 1) >> 7):
            i = step * LANES + lane_id()
            if i < count:
                over = T.wide(x[row, first + i]) - center
                total += over if power == 1 else over * over
        keep_chunk(part, tree, chunk, total, SUM)
    return total_of_chunks(tree, chunks(n), SUM) / T.wide(n)


def keep_chunk(part, tree, chunk, value, kind):
    """Add what the values of the lanes make of a chunk to the tree of the block."""
    combine_lanes(part, value, kind)
    if lane_id() == 0:
        push(tree, chunk, part[0], kind)
    barrier()


def push(tree, chunk, value, kind):
    """Add the total of a chunk to a tree: it combines with the chunk beside it, as their pair does with another."""
    total = value
    level = 0
    rest = chunk
    while rest & 1 == 1:
        total = joined(tree[level], total, kind)
        level += 1
        rest = rest >> 1
    tree[level] = total


def total_of_chunks(tree, count, kind):
    """Return the total of a block's tree of so many chunks, which may be used again then."""
    total = combine_tree(tree, count, kind)
    barrier()
    return total


def combine_tree(tree, count, kind):
    """Return the total of a tree of so many chunks, one at least: what is left combines, the last chunks first."""
    level = 0
    rest = count
    while rest & 1 == 0:
        level += 1
        rest = rest >> 1
    total = tree[level]
    while rest > 1:
        level += 1
        rest = rest >> 1
        if rest & 1 == 1:
            total = joined(tree[level], total, kind)
    return total


def column_sum(x, column):
    """Return the sum of a column of a matrix, by a block of 32 columns and 8 lanes each, which have 16 sums each."""
    part = shared(T.wide, 8, 32)
    tree = shared(T.wide, 48, 32)
    sums = local(T.wide, 16)
    rows = x.shape[0]
    place = lane_id()
    lane = lane_id(1)
    for chunk in range(chunks(rows)):
        first = chunk * CHUNK
        count = min(rows - first, CHUNK)
        for k in range(16):
            sums[k] = -T.wide(0)
        for step in range((count + LANES - 1) >> 7):
            for k in range(16):
                row = step * LANES + k * 8 + lane
                if row < count and column < x.shape[1]:
                    sums[k] += x[first + row, column]
        for step in range(4):
            for k in range(8 >> step):
                sums[k] += sums[k + (8 >> step)]
        part[lane, place] = sums[0]
        barrier()
        for step in range(3):
            if lane < 4 >> step:
                part[lane, place] += part[lane + (4 >> step), place]
            barrier()
        if lane == 0:
            total = part[0, place]
            level = 0
            rest = chunk
            while rest & 1 == 1:
                total = tree[level, place] + total
                level += 1
                rest = rest >> 1
            tree[level, place] = total
        barrier()
    level = 0
    rest = chunks(rows)
    while rest & 1 == 0:
        level += 1
        rest = rest >> 1
    result = tree[level, place]
    while rest > 1:
        level += 1
        rest = rest >> 1
        if rest & 1 == 1:
            result = tree[level, place] + result
    return result


def greatest_of_lanes(part, value):
    """Return the greatest of what the lanes have, leaving out NaN. `part` may be used again then."""
    combine_lanes(part, value, GREATEST)
    greatest = part[0]
    barrier()
    return greatest


def quotient(place, size):
    """place // size of numbers that are not negative: by 32 bits where they suffice, which devices divide fast."""
    if place <= 0xFFFFFFFF and size <= 0xFFFFFFFF:
        return i64(u32(place) // u32(size))
    return i64(u64(place) // u64(size))
