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
    """tile[k, i] = source[first + i, depth + k] - offset, 0 beyond the edges."""
    for part in range(4):
        k = lane_id() & 15
        i = (lane_id() >> 4) + 16 * part
        inside = first + i < source.shape[0] and depth + k < source.shape[1]
        tile[k, i] = source[first + i, depth + k] - offset if inside else 0


def load_columns(tile, source, first, depth, offset):
    """tile[k, i] = source[depth + k, first + i] - offset, 0 beyond the edges."""
    for part in range(4):
        k = (lane_id() >> 6) + 4 * part
        i = lane_id() & 63
        inside = first + i < source.shape[1] and depth + k < source.shape[0]
        tile[k, i] = source[depth + k, first + i] - offset if inside else 0


def load_rows_of(tile, source, page, first, depth):
    """As `load_rows`, of one of several matrices."""
    for part in range(4):
        k = lane_id() & 15
        i = (lane_id() >> 4) + 16 * part
        inside = first + i < source.shape[1] and depth + k < source.shape[2]
        tile[k, i] = source[page, first + i, depth + k] if inside else 0


def load_columns_of(tile, source, page, first, depth):
    """As `load_columns`, of one of several matrices."""
    for part in range(4):
        k = (lane_id() >> 6) + 4 * part
        i = lane_id() & 63
        inside = first + i < source.shape[2] and depth + k < source.shape[1]
        tile[k, i] = source[page, depth + k, first + i] if inside else 0


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


def multiply(left, right, total, a, b, row, column, a_offset, b_offset, TRANSPOSE_A, TRANSPOSE_B):
    """total = the lane's elements of the product of a - a_offset and b - b_offset, from a row and a column on."""
    clear(total)
    for depth in range(0, a.shape[0] if TRANSPOSE_A else a.shape[1], DEPTH):
        if TRANSPOSE_A:
            load_columns(left, a, row, depth, a_offset)
        else:
            load_rows(left, a, row, depth, a_offset)
        if TRANSPOSE_B:
            load_rows(right, b, column, depth, b_offset)
        else:
            load_columns(right, b, column, depth, b_offset)
        multiply_tiles(left, right, total)
