"""What kernels share that multiply matrices: tiles in shared memory, and what a lane adds up of them.

A block of 256 lanes makes 64 x 64 elements of a product, a lane 4 x 4 of them: rows lane // 16 + 16 r and columns
lane % 16 + 16 c. It takes DEPTH of what is summed over at a time, from two tiles of DEPTH x 64, whose rows have one
element more so that lanes beside each other store to different banks.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import barrier, lane_id, muladd

DEPTH = 16
SIDE = 64


def load_rows(tile, source, first, depth, offset):
    """tile[k, i] = source[first + i, depth + k] - offset, 0 beyond the edges. `offset` has the type of the tile."""
    for place in range(lane_id(), DEPTH * SIDE, 256):
        i = place // DEPTH
        k = place % DEPTH
        value = offset - offset
        if first + i < source.shape[0] and depth + k < source.shape[1]:
            value = source[first + i, depth + k] - offset
        tile[k, i] = value


def load_columns(tile, source, first, depth, offset):
    """tile[k, i] = source[depth + k, first + i] - offset, 0 beyond the edges. `offset` has the type of the tile."""
    for place in range(lane_id(), DEPTH * SIDE, 256):
        i = place % SIDE
        k = place // SIDE
        value = offset - offset
        if first + i < source.shape[1] and depth + k < source.shape[0]:
            value = source[depth + k, first + i] - offset
        tile[k, i] = value


def clear(total):
    """0 in all that a lane has."""
    for r in range(4):
        for c in range(4):
            total[r, c] = 0


def multiply_tiles(a, b, total):
    """Adds the products of two tiles to what the lane has. Waits before, and after."""
    row = lane_id() >> 4
    column = lane_id() & 15
    barrier()
    for k in range(DEPTH):
        for r in range(4):
            for c in range(4):
                total[r, c] = muladd(a[k, row + 16 * r], b[k, column + 16 * c], total[r, c])
    barrier()
